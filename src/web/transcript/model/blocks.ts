import { lowerBound } from '../../../text/lower-bound.ts'
import type { WordTable } from './word-table.ts'

/** Longer blocks are split at the next end of a sentence, or at the hard limit. UTF-16 units. */
const softLimit = 560
const hardLimit = 1_000

const sentenceEnd = /[.!?。！？…؟।]["'”’»)\]]*$/

/**
 * The paragraphs of the reading column: one per turn, except that long turns are split, since no browser lays out a
 * five-hour paragraph quickly.
 */
export class Blocks {
  count = 0
  /** first word of each block; entry `count` is the number of words */
  firsts = new Uint32Array(257)
  /** 1 where the block begins a turn */
  turnStarts = new Uint8Array(256)
  turns = 0

  #push(first: number, startsTurn: boolean): void {
    if (this.count === this.turnStarts.length) {
      const firsts = new Uint32Array(this.count * 2 + 1)
      firsts.set(this.firsts)
      const turnStarts = new Uint8Array(this.count * 2)
      turnStarts.set(this.turnStarts)
      this.firsts = firsts
      this.turnStarts = turnStarts
    }
    this.firsts[this.count] = first
    this.turnStarts[this.count] = startsTurn ? 1 : 0
    this.count++
    if (startsTurn) this.turns++
  }

  /** Adds blocks for words appended to the table: rebuilds the last block, keeps the others. */
  extend(table: WordTable): void {
    let first = 0
    let startsTurn = true
    if (this.count > 0) {
      this.count--
      first = this.firsts[this.count] ?? 0
      startsTurn = this.turnStarts[this.count] === 1
      if (startsTurn) this.turns--
    }
    for (let word = first; word < table.count; word++) {
      const ends = table.endsTurn(word)
      if (!ends && !breaksAfter(table, first, word)) continue
      this.#push(first, startsTurn)
      first = word + 1
      startsTurn = ends
    }
    if (first < table.count) this.#push(first, startsTurn)
    this.firsts[this.count] = table.count
  }

  /** Builds the blocks of a whole table. */
  static of(table: WordTable): Blocks {
    const blocks = new Blocks()
    blocks.extend(table)
    return blocks
  }

  first(block: number): number {
    return this.firsts[block] ?? 0
  }

  /** One past the block's last word. */
  end(block: number): number {
    return this.firsts[block + 1] ?? 0
  }

  startsTurn(block: number): boolean {
    return this.turnStarts[block] === 1
  }

  blockOf(word: number): number {
    return Math.max(0, lowerBound(this.count, (block) => this.first(block) <= word) - 1)
  }

  /** The words of a block's turn, `end` exclusive. */
  turnOf(block: number): { from: number; end: number } {
    let first = block
    while (first > 0 && !this.startsTurn(first)) first--
    let last = block + 1
    while (last < this.count && !this.startsTurn(last)) last++
    return { from: this.first(first), end: this.first(last) }
  }
}

function breaksAfter(table: WordTable, first: number, word: number): boolean {
  const length = table.offsetOf(word + 1) - table.offsetOf(first)
  if (length < softLimit) return false
  return length >= hardLimit || sentenceEnd.test(table.wordText(word))
}

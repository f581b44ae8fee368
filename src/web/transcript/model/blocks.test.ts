import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Blocks } from './blocks.ts'
import { ChunkBuilder } from './chunk-builder.ts'
import { anyWords, tableOf, wordsOf } from './testing/made-words.ts'
import { WordTable } from './word-table.ts'

const shape = (blocks: Blocks) =>
  Array.from({ length: blocks.count }, (_, block) => [blocks.first(block), blocks.end(block), blocks.startsTurn(block)])

test('blocks contain every word once, in order, and mark exactly the starts of turns', () => {
  fc.assert(
    fc.property(anyWords, (words) => {
      const table = tableOf(words)
      const blocks = Blocks.of(table)
      expect(blocks.end(blocks.count - 1)).toBe(table.count)
      for (let block = 0; block < blocks.count; block++) {
        expect(blocks.end(block)).toBeGreaterThan(blocks.first(block))
        expect(blocks.startsTurn(block)).toBe(block === 0 || words[blocks.first(block) - 1]?.endsTurn === true)
        for (let word = blocks.first(block); word < blocks.end(block); word++) expect(blocks.blockOf(word)).toBe(block)
      }
    }),
  )
})

test('appending chunks yields the same blocks as the whole text', () => {
  fc.assert(
    fc.property(anyWords, fc.integer({ min: 1, max: 9 }), (words, size) => {
      const table = new WordTable()
      const grown = new Blocks()
      for (let from = 0; from < words.length; from += size) {
        const builder = new ChunkBuilder()
        for (const { text, start, end, endsTurn } of words.slice(from, from + size)) {
          builder.add({ word: text, start, end, ...(endsTurn ? { turn: 1 } : {}) })
        }
        table.append(builder.flush())
        grown.extend(table)
      }
      expect(shape(grown)).toEqual(shape(Blocks.of(table)))
      expect(grown.turns).toBe(Blocks.of(table).turns)
    }),
  )
})

test('a five-hour turn is split for display, at ends of sentences if possible', () => {
  const sentences = tableOf(wordsOf(Array(9_000).fill('one two three four five.').join(' ')))
  const split = Blocks.of(sentences)
  expect(split.turns).toBe(1)
  for (let block = 0; block < split.count - 1; block++) {
    expect(sentences.wordText(split.end(block) - 1)).toBe('five.')
    expect(sentences.slice(split.first(block), split.end(block)).length).toBeLessThan(700)
  }
  const endless = tableOf(wordsOf(Array(5_000).fill('word').join(' ')))
  const hard = Blocks.of(endless)
  for (let block = 0; block < hard.count; block++) {
    expect(endless.slice(hard.first(block), hard.end(block)).length).toBeLessThan(1_100)
  }
  expect(hard.turnOf(3)).toEqual({ from: 0, end: endless.count })
})

test('an empty table has no blocks', () => {
  expect(Blocks.of(new WordTable()).count).toBe(0)
})

import type { TextShape } from '../../../formats/read-txt.ts'
import { equalEnds } from '../../../text/differences.ts'
import { Signal } from '../../base/state/signal.ts'
import { Blocks } from './blocks.ts'
import type { JsonEnd } from './record-splitter.ts'
import { matchSpeakers } from './speakers.ts'
import { TimeIndex } from './time-index.ts'
import { WordTable } from './word-table.ts'
import type { WordsLoad } from './words-load.ts'
import type { WordsMessage } from './words-protocol.ts'

export type TextState = {
  table: WordTable
  blocks: Blocks
  /** speakers' names by index; empty until they are known */
  names: readonly string[]
  /** `reading` until the last word has arrived; `failed` if loading failed */
  phase: 'reading' | 'failed' | JsonEnd
  /** error message for the user */
  problem: string | null
  /** number of JSON entries that were not words */
  skipped: number
  /** which parts of the recording could not be read, as worded in the service's text */
  damage: string | null
  /** identifies this version of the service's text; null until it is fully loaded */
  fingerprint: string | null
  /** number of unchanged blocks at each end since the previous state */
  sameHead: number
  sameTail: number
  /** true once speakers' names have been looked up, even if there are none */
  named: boolean
  /** word times are estimates, as in a text in progress, which only has line times */
  estimated: boolean
}

function emptyState(): TextState {
  return {
    table: new WordTable(),
    blocks: new Blocks(),
    names: [],
    phase: 'reading',
    problem: null,
    skipped: 0,
    damage: null,
    fingerprint: null,
    sameHead: 0,
    sameTail: 0,
    named: false,
    estimated: false,
  }
}

/** The text of a transcript, outside React: filled by the worker, changed by corrections. */
export class TranscriptText {
  readonly state = new Signal<TextState>(emptyState())
  #load: WordsLoad | null = null
  #times: { table: WordTable; count: number; index: TimeIndex } | null = null

  /** Replaces the current text with the words of a load. @param shape of the file's text format */
  open(load: WordsLoad, shape: TextShape): void {
    this.close()
    this.state.set(emptyState())
    this.#load = load
    load.listen(shape, (message) => this.#receive(message))
  }

  close(): void {
    this.#load?.stop()
  }

  #receive(message: WordsMessage): void {
    const change = this.#changeFor(message)
    this.state.set({ ...this.state.get(), ...change })
  }

  #changeFor(message: WordsMessage): Partial<TextState> {
    const { table, blocks } = this.state.get()
    const unchanged = { sameHead: blocks.count, sameTail: 0 }
    switch (message.kind) {
      case 'chunk': {
        // The last block may continue in this chunk; earlier ones do not change.
        const sameHead = Math.max(0, blocks.count - 1)
        table.append(message.chunk)
        blocks.extend(table)
        return { sameHead, sameTail: 0 }
      }
      case 'end':
        return { ...unchanged, phase: message.as, skipped: message.skipped, fingerprint: message.fingerprint }
      case 'failed':
        return { ...unchanged, phase: 'failed', problem: message.message, named: true }
      case 'lines':
        return {
          sameHead: 0,
          sameTail: 0,
          names: matchSpeakers(table, message.lines),
          named: true,
          damage: message.damage,
        }
    }
  }

  /** Replaces the whole text, e.g. with a corrected one. */
  replace(table: WordTable, names: readonly string[], estimated = false): void {
    const state = this.state.get()
    const blocks = Blocks.of(table)
    const same = countSameBlocks(state, { table, blocks })
    const phase = estimated ? 'whole' : state.phase
    this.state.set({ ...state, table, blocks, names, estimated, phase, ...same, named: state.named || estimated })
  }

  /** Time index of the current text; rebuilt after changes. */
  get times(): TimeIndex {
    const { table } = this.state.get()
    if (this.#times?.table !== table || this.#times.count !== table.count) {
      this.#times = { table, count: table.count, index: new TimeIndex(table) }
    }
    return this.#times.index
  }
}

type TextInBlocks = Pick<TextState, 'table' | 'blocks'>

/** The number of blocks at each end with the same text and speaker in both. */
function countSameBlocks(a: TextInBlocks, b: TextInBlocks): { sameHead: number; sameTail: number } {
  const same = (blockA: number, blockB: number) =>
    a.blocks.startsTurn(blockA) === b.blocks.startsTurn(blockB) &&
    a.table.speakerOf(a.blocks.first(blockA)) === b.table.speakerOf(b.blocks.first(blockB)) &&
    a.table.slice(a.blocks.first(blockA), a.blocks.end(blockA)) ===
      b.table.slice(b.blocks.first(blockB), b.blocks.end(blockB))
  const { head, tail } = equalEnds(a.blocks.count, b.blocks.count, same)
  return { sameHead: head, sameTail: tail }
}

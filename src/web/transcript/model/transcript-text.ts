import type { TextShape } from '../../../formats/read-txt.ts'
import { Signal } from '../../state/signal.ts'
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
  /** `reading` until the last word is in; `failed` where nothing more will come */
  phase: 'reading' | 'failed' | JsonEnd
  /** what went wrong, in words */
  problem: string | null
  /** entries of the JSON that were no words */
  skipped: number
  /** what of the recording could not be read, as the service's text says it */
  damage: string | null
  /** names this version of the service's text; null until all of it is read */
  fingerprint: string | null
  /** blocks at the two ends that show what they showed in the state before */
  sameHead: number
  sameTail: number
  /** where speakers' names were looked for and matched */
  named: boolean
  /** times within a line are only spread, as in a text in progress, which has times of lines alone */
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

/** The transcript's text outside of React: filled by the worker, changed by corrections. */
export class TranscriptText {
  readonly state = new Signal<TextState>(emptyState())
  #load: WordsLoad | null = null
  #times: { table: WordTable; count: number; index: TimeIndex } | null = null

  /** Shows what a load brings; what was there goes. @param shape of the file's text format */
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
    const change = this.#changeBy(message)
    this.state.set({ ...this.state.get(), ...change })
  }

  #changeBy(message: WordsMessage): Partial<TextState> {
    const { table, blocks } = this.state.get()
    const unchanged = { sameHead: blocks.count, sameTail: 0 }
    switch (message.kind) {
      case 'chunk': {
        // The last block may go on in this chunk; all before it stand.
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

  /** Puts another text in place of the whole, such as a corrected one. */
  replace(table: WordTable, names: readonly string[], estimated = false): void {
    const state = this.state.get()
    const blocks = Blocks.of(table)
    const same = sameEnds(state, { table, blocks })
    const phase = estimated ? 'whole' : state.phase
    this.state.set({ ...state, table, blocks, names, estimated, phase, ...same, named: state.named || estimated })
  }

  /** From times to words, for the text as it stands now. */
  get times(): TimeIndex {
    const { table } = this.state.get()
    if (this.#times?.table !== table || this.#times.count !== table.count) {
      this.#times = { table, count: table.count, index: new TimeIndex(table) }
    }
    return this.#times.index
  }
}

type Laid = Pick<TextState, 'table' | 'blocks'>

/** How many blocks at each end have the same text in both. */
function sameEnds(a: Laid, b: Laid): { sameHead: number; sameTail: number } {
  const most = Math.min(a.blocks.count, b.blocks.count)
  const same = (blockA: number, blockB: number) =>
    a.blocks.startsTurn(blockA) === b.blocks.startsTurn(blockB) &&
    a.table.speakerOf(a.blocks.first(blockA)) === b.table.speakerOf(b.blocks.first(blockB)) &&
    a.table.slice(a.blocks.first(blockA), a.blocks.end(blockA)) ===
      b.table.slice(b.blocks.first(blockB), b.blocks.end(blockB))
  let sameHead = 0
  while (sameHead < most && same(sameHead, sameHead)) sameHead++
  let sameTail = 0
  while (sameTail < most - sameHead && same(a.blocks.count - 1 - sameTail, b.blocks.count - 1 - sameTail)) {
    sameTail++
  }
  return { sameHead, sameTail }
}

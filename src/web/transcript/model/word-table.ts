import type { CueEdit } from '../../../contract/account/corrections.ts'
import { lowerBound } from '../../../text/lower-bound.ts'
import { type Place, replacePlaces } from '../../../text/patches.ts'
import type { Word, WordChunk } from './word.ts'

/** Replaces the words of a place. */
export type Splice = Place & { words: readonly Word[] }

const allocateColumns = (capacity: number) => ({
  offsets: new Uint32Array(capacity + 1),
  starts: new Float64Array(capacity),
  ends: new Float64Array(capacity),
  confs: new Float32Array(capacity),
  turnConfs: new Float32Array(capacity),
  turnEnds: new Uint8Array(capacity),
  speakers: new Int16Array(capacity),
  origins: new Int32Array(capacity),
  // Settings of the caption that a word begins: bits of `cueBits`, and seconds.
  cues: new Uint8Array(capacity),
  cueStarts: new Float64Array(capacity),
  cueEnds: new Float64Array(capacity),
  // Words before its first and second line break, a byte each.
  cueBreaks: new Uint16Array(capacity),
})
const cueBits = { begins: 1, whole: 2, top: 4, start: 8, end: 16, fixed: 32 }
const fromBreakCell = (cell: number): number[] => [cell & 255, cell >> 8].filter((count) => count > 0)
type Columns = ReturnType<typeof allocateColumns>

const copied = Object.keys(allocateColumns(0)).filter((name) => name !== 'offsets') as Exclude<
  keyof Columns,
  'offsets'
>[]

/** A table's columns, for posting to a worker. */
export type TableColumns = { count: number; text: string; columns: Columns }

/**
 * All words of a transcript in typed arrays and one string: about 55 bytes per word plus its text and no object per
 * word, so that 24 hours take less than 10 MB and a span of text is one `slice`.
 */
export class WordTable {
  count = 0
  /** all words, each followed by its separator (see WordChunk) */
  text = ''
  #capacity: number
  #columns: Columns

  constructor(capacity = 1_024) {
    this.#capacity = capacity
    this.#columns = allocateColumns(capacity)
  }

  /** Builds a table from columns received from another thread. */
  static of({ count, text, columns }: TableColumns): WordTable {
    const table = new WordTable(0)
    table.count = count
    table.text = text
    table.#capacity = columns.starts.length
    table.#columns = columns
    return table
  }

  static from(words: readonly Word[]): WordTable {
    return new WordTable(0).spliced([{ from: 0, to: 0, words }])
  }

  /** The columns, not copied, for posting to another thread. */
  columns(): TableColumns {
    return { count: this.count, text: this.text, columns: this.#columns }
  }

  /*
   * The columns, for loops over all words and for copying. All other access is by word, through the methods below; for
   * a nonexistent word they return time 0, no confidence and no speaker.
   */

  get starts(): Float64Array {
    return this.#columns.starts
  }
  get speakers(): Int16Array {
    return this.#columns.speakers
  }
  get origins(): Int32Array {
    return this.#columns.origins
  }
  get offsets(): Uint32Array {
    return this.#columns.offsets
  }

  /** Seconds. */
  startOf(word: number): number {
    return this.#columns.starts[word] ?? 0
  }

  /** Seconds. */
  endOf(word: number): number {
    return this.#columns.ends[word] ?? 0
  }

  /** 0 to 1, NaN if unknown. */
  confOf(word: number): number {
    return this.#columns.confs[word] ?? Number.NaN
  }

  /** Confidence of the turn that this word ends: 0 to 1, NaN if unknown. */
  turnConfOf(word: number): number {
    return this.#columns.turnConfs[word] ?? Number.NaN
  }

  endsTurn(word: number): boolean {
    return this.#columns.turnEnds[word] === 1
  }

  /** Index in the speakers' names, -1 if unknown. */
  speakerOf(word: number): number {
    return this.#columns.speakers[word] ?? -1
  }

  /** Settings of the caption that begins with a word. */
  cueOf(word: number): CueEdit | undefined {
    const { cues, cueStarts, cueEnds, cueBreaks } = this.#columns
    const bits = cues[word] ?? 0
    if (bits === 0) return undefined
    const breaks = fromBreakCell(cueBreaks[word] ?? 0)
    return {
      ...(bits & cueBits.whole ? { whole: true } : {}),
      ...(bits & cueBits.fixed ? { fixed: true } : {}),
      ...(bits & cueBits.start ? { start: cueStarts[word] ?? 0 } : {}),
      ...(bits & cueBits.end ? { end: cueEnds[word] ?? 0 } : {}),
      ...(bits & cueBits.top ? { top: true } : {}),
      ...(breaks.length > 0 ? { breaks } : {}),
    }
  }

  /** Where the word begins in `text`; for `count`, the length of `text`. */
  offsetOf(word: number): number {
    return this.#columns.offsets[word] ?? 0
  }

  /** Where the word ends in `text`, before its separator. */
  textEndOf(word: number): number {
    return this.offsetOf(word + 1) - 1
  }

  #reserve(words: number): void {
    if (words <= this.#capacity) return
    const capacity = Math.max(words, this.#capacity * 2)
    const grown = allocateColumns(capacity)
    for (const name of Object.keys(grown) as (keyof Columns)[]) grown[name].set(this.#columns[name])
    this.#columns = grown
    this.#capacity = capacity
  }

  /** Appends a chunk of the service's words. */
  append(chunk: WordChunk): void {
    const added = chunk.lengths.length
    const from = this.count
    this.#reserve(from + added)
    const columns = this.#columns
    for (const name of ['starts', 'ends', 'confs', 'turnConfs', 'turnEnds'] as const)
      columns[name].set(chunk[name], from)
    columns.speakers.fill(-1, from, from + added)
    let offset = this.offsetOf(from)
    for (let index = 0; index < added; index++) {
      columns.origins[from + index] = from + index
      offset += (chunk.lengths[index] ?? 0) + 1
      columns.offsets[from + index + 1] = offset
    }
    this.text += chunk.text
    this.count = from + added
  }

  /** Text of the words `from` to `to` (exclusive), with line breaks between turns and no separator at its end. */
  slice(from: number, to: number): string {
    if (to <= from) return ''
    return this.text.slice(this.offsetOf(from), this.textEndOf(to - 1))
  }

  wordText(index: number): string {
    return this.slice(index, index + 1)
  }

  /** The word whose text or separator contains this offset in `text`. */
  wordAtOffset(offset: number): number {
    return Math.max(0, lowerBound(this.count, (word) => this.offsetOf(word) <= offset) - 1)
  }

  #originAt(index: number): number {
    return this.#columns.origins[index] ?? -1
  }

  /** The service's number of a word; for a typed word, that of the last preceding word that has one. */
  originOf(index: number): number {
    let at = index
    while (at > 0 && this.#originAt(at) < 0) at--
    return Math.max(0, this.#originAt(at))
  }

  word(index: number): Word {
    const conf = this.confOf(index)
    const turnConf = this.turnConfOf(index)
    return {
      text: this.wordText(index),
      start: this.startOf(index),
      end: this.endOf(index),
      conf: Number.isNaN(conf) ? null : conf,
      endsTurn: this.endsTurn(index),
      turnConf: Number.isNaN(turnConf) ? null : turnConf,
      speaker: this.speakerOf(index),
      origin: this.#originAt(index),
      cue: this.cueOf(index),
    }
  }

  words(from: number, to: number): Word[] {
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => this.word(from + index))
  }

  /**
   * Returns a new table with spans of words replaced, in one pass; does not modify this one.
   * @param splices sorted, not overlapping; word indexes of this table
   */
  spliced(splices: readonly Splice[]): WordTable {
    if (splices.length === 0) return this
    const growth = splices.reduce((sum, { from, to, words }) => sum + words.length - (to - from), 0)
    const result = new WordTable(this.count + growth)
    const texts: string[] = []
    const keep = (from: number, to: number) => result.#copy(this, from, to, texts)
    replacePlaces({ from: 0, to: this.count }, splices, keep, ({ words }) => {
      for (const word of words) result.#push(word, texts)
    })
    result.text = texts.join('')
    return result
  }

  #copy(source: WordTable, from: number, to: number, texts: string[]): void {
    if (to <= from) return
    const at = this.count
    for (const name of copied) this.#columns[name].set(source.#columns[name].subarray(from, to), at)
    const begin = source.offsetOf(from)
    const shift = this.offsetOf(at) - begin
    for (let index = from; index < to; index++) {
      this.offsets[at + index - from + 1] = source.offsetOf(index + 1) + shift
    }
    texts.push(source.text.slice(begin, source.offsetOf(to)))
    this.count = at + to - from
  }

  #push(word: Word, texts: string[]): void {
    const at = this.count
    const columns = this.#columns
    columns.starts[at] = word.start
    columns.ends[at] = word.end
    columns.confs[at] = word.conf ?? Number.NaN
    columns.turnConfs[at] = word.turnConf ?? Number.NaN
    columns.turnEnds[at] = word.endsTurn ? 1 : 0
    columns.speakers[at] = word.speaker
    columns.origins[at] = word.origin
    const { cue } = word
    if (cue !== undefined) {
      const { whole = false, top = false, fixed = false, start, end } = cue
      const set = { begins: true, whole, top, fixed, start: start !== undefined, end: end !== undefined }
      const names = Object.keys(cueBits) as (keyof typeof cueBits)[]
      columns.cues[at] = names.reduce((bits, name) => bits | (set[name] ? cueBits[name] : 0), 0)
      columns.cueStarts[at] = start ?? 0
      columns.cueEnds[at] = end ?? 0
      columns.cueBreaks[at] = (cue.breaks?.[0] ?? 0) + (cue.breaks?.[1] ?? 0) * 256
    }
    columns.offsets[at + 1] = this.offsetOf(at) + word.text.length + 1
    texts.push(word.text, word.endsTurn ? '\n' : ' ')
    this.count = at + 1
  }
}

import type { CueEdit } from '../../../contract/account/corrections.ts'

/** A span of words, `to` exclusive. */
export type WordSpan = { from: number; to: number }

/** One word as an object, as inserted and removed by edits. Times in seconds. */
export type Word = {
  text: string
  start: number
  end: number
  /** 0 to 1; null if the service gave none */
  conf: number | null
  /** the next word begins another speaker turn (spec 2.4) */
  endsTurn: boolean
  turnConf: number | null
  /** index in the speakers' names, -1 if unknown */
  speaker: number
  /** index of the word in the service's transcript, -1 for a word typed on this device */
  origin: number
  /** settings of the caption that begins with this word */
  cue?: CueEdit | undefined
}

/**
 * Words in columns, as the worker posts them: buffers are transferred, so that 200,000 words take microseconds. Each
 * array has one entry per word.
 */
export type WordChunk = {
  /** all words, each followed by one separator: a line break if its turn ends, else a space */
  text: string
  /** UTF-16 units of each word, excluding its separator */
  lengths: Uint32Array
  starts: Float64Array
  ends: Float64Array
  /** NaN if unknown */
  confs: Float32Array
  /** NaN if unknown */
  turnConfs: Float32Array
  /** 1 if the word ends a turn */
  turnEnds: Uint8Array
}

/** The buffers of a chunk, for `postMessage`'s transfer list. */
export function transferOf(chunk: WordChunk): ArrayBuffer[] {
  const columns = [chunk.lengths, chunk.starts, chunk.ends, chunk.confs, chunk.turnConfs, chunk.turnEnds]
  return columns.map((column) => column.buffer as ArrayBuffer)
}

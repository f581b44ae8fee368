import type { PatchWord } from '../../../contract/account/corrections.ts'

/** A span of words, `to` exclusive. */
export type WordSpan = { from: number; to: number }

/** One word of a `WordTable` as an object, as edits insert and remove it. */
export type Word = Omit<PatchWord, 'old'> & {
  turnConf: number | null
  /** index of the word in the service's transcript, -1 for a word typed on this device */
  origin: number
}

/** What is the same in words that are not the service's, unless it is known. */
export const newWord = { conf: null, endsTurn: false, turnConf: null, speaker: -1, origin: -1 } as const

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
export function listBuffers(chunk: WordChunk): ArrayBuffer[] {
  const columns = [chunk.lengths, chunk.starts, chunk.ends, chunk.confs, chunk.turnConfs, chunk.turnEnds]
  return columns.map((column) => column.buffer as ArrayBuffer)
}

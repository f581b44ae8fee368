/** One word outside the columns: what edits insert and remove. Times in seconds. */
export type Word = {
  text: string
  start: number
  end: number
  /** 0 to 1, or null where the service gave none */
  conf: number | null
  /** a speaker turn follows this word (spec 2.4) */
  endsTurn: boolean
  turnConf: number | null
  /** index in the speakers' names, -1 where unknown */
  speaker: number
  /** index of the word in the transcript as the service holds it, -1 for a word that was typed here */
  origin: number
}

/**
 * Words in columns, as the worker hands them over: buffers are transferred, so 200,000 words cross in microseconds.
 * All arrays have one entry a word.
 */
export type WordChunk = {
  /** every word followed by one separator: a line break where its turn ends, a space otherwise */
  text: string
  /** UTF-16 units of each word, without its separator */
  lengths: Uint32Array
  starts: Float64Array
  ends: Float64Array
  /** NaN where unknown */
  confs: Float32Array
  /** NaN where unknown */
  turnConfs: Float32Array
  /** 1 where a turn follows */
  turnEnds: Uint8Array
}

/** The buffers of a chunk, for `postMessage`'s transfer list. */
export function transferOf(chunk: WordChunk): ArrayBuffer[] {
  const columns = [chunk.lengths, chunk.starts, chunk.ends, chunk.confs, chunk.turnConfs, chunk.turnEnds]
  return columns.map((column) => column.buffer as ArrayBuffer)
}

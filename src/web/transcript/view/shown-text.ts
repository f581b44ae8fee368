import type { Blocks } from '../model/blocks.ts'
import type { WordTable } from '../model/word-table.ts'

/** A stretch of words, `to` exclusive. */
export type WordSpan = { from: number; to: number }

/** Everything the reading column shows, at one moment. */
export type ShownText = {
  table: WordTable
  blocks: Blocks
  /** speakers' names by index */
  names: readonly string[]
  /** words with a lower conf are doubtful, null where they are not to be marked */
  doubtBelow: number | null
  /** words that came since the reader looked, null where none did */
  fresh: WordSpan | null
}

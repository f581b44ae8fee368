import type { Blocks } from '../model/blocks.ts'
import type { WordSpan } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'

/** Snapshot of everything that the reading column shows. */
export type ShownText = {
  table: WordTable
  blocks: Blocks
  /** speakers' names by index */
  names: readonly string[]
  /** words with a lower confidence are underlined as doubtful; null: none are */
  doubtBelow: number | null
  /** words added since the text was last shown; null if there are none */
  fresh: WordSpan | null
}

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
  /** when the recording began, in seconds of the day; undefined: times count from 0 */
  beginsAtSeconds: number | undefined
  /** words added since the text was last shown; null if there are none */
  fresh: WordSpan | null
  /** only this speaker's turns are shown; null: all are */
  only: number | null
  /** speakers' names are buttons */
  hasSpeakerMenu: boolean
}

/** Whether a block is not shown, being another speaker's. */
export function isHidden(
  { table, blocks, only }: Pick<ShownText, 'table' | 'blocks' | 'only'>,
  block: number,
): boolean {
  return only !== null && table.speakerOf(blocks.first(block)) !== only
}

/** Minimum width at which speakers appear beside the text (the container query in transcript.css). Pixels. */
const minWideWidth = 704

/**
 * Estimates the height of a block, in pixels, from its length and the column's width: accurate enough that the scroll
 * bar hardly changes when blocks are measured; 0 if it is not shown.
 */
export function estimateBlockHeight(shown: ShownText, block: number, width: number): number {
  if (isHidden(shown, block)) return 0
  const { table, blocks } = shown
  const letters = table.offsetOf(blocks.end(block)) - table.offsetOf(blocks.first(block))
  const isWide = width >= minWideWidth
  const lettersPerLine = isWide ? 66 : Math.max(12, (width - 32) / 8.2)
  const lines = Math.ceil(letters / lettersPerLine)
  const gap = blocks.startsTurn(block + 1) ? 24 : 10
  return isWide ? lines * 29 + gap : lines * 28 + gap + (blocks.startsTurn(block) ? 20 : 0)
}

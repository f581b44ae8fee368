import type { OrderOptions } from '../contract/order-options.ts'
import type { WordRecord } from '../contract/words.ts'

/** A stretch of one speaker's words. `speaker` counts from 0 in order of first word; null where speakers are unknown. */
export type Turn = { speaker: number | null; words: readonly WordRecord[] }

/** Everything that any format is made from. Pure data: the service fills it from its files, the dashboard from corrections. */
export type Transcript = {
  title: string
  /** names in order of first word, `Speaker 1` where no name was given */
  speakers: readonly string[]
  turns: readonly Turn[]
  options: OrderOptions
  /** ISO 8601, UTC */
  created: string
  durationMs: number
  progressPercent: number
}

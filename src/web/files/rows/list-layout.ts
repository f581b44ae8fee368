import type { Preferences } from '../../preferences/preferences.ts'
import { RowOffsets } from '../../ui/virtual-rows/row-offsets.ts'

/* Heights of the list and its rows in pixels. */

const fileHeights = { comfortable: 52, compact: 40 }
/** A file on a phone. */
export const cardHeight = 122
const dayHeight = 29

/** A file in the table, as dense as the account wants its lists. */
export function fileHeight(density: Preferences['density']): number {
  return fileHeights[density]
}

/** Where the items of the list are. @param days indexes of the items that are days, ascending */
export function listOffsets(count: number, days: readonly number[], rowHeight: number): RowOffsets {
  return new RowOffsets(
    count,
    rowHeight,
    days.map((index) => ({ index, height: dayHeight })),
  )
}

import type { Preferences } from '../../preferences/preferences.ts'
import { RowOffsets } from '../../ui/virtual-rows/row-offsets.ts'

/* Heights of the list and its rows in pixels, and the classes of what contains them. */

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

export const gridClass = 'rounded-lg border border-line bg-surface'

/** The element that contains the rows, below the headings where there are any. */
export function rowsClass(isPhone: boolean): string {
  return `relative overflow-clip rounded-b-lg ${isPhone ? 'rounded-t-lg' : '-mt-px'}`
}

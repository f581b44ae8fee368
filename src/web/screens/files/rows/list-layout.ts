import { type OddRow, RowOffsets } from '../../../base/ui/virtual-rows/row-offsets.ts'
import type { Preferences } from '../../../signed-in/preferences/preferences.ts'
import type { FoundFiles } from '../found/use-found.ts'
import { isDay, type ListItem, type ListView } from '../list/list-view.ts'

/* Heights of the list and its rows in pixels. */

const fileHeights = { comfortable: 52, compact: 40 }
/** A file on a phone. */
export const cardHeight = 122
const dayHeight = 29
/** The line of a full-text match. */
const sentenceHeight = 28

/** Height of a file in the table, by the account's preferred density. */
export function fileHeight(density: Preferences['density']): number {
  return fileHeights[density]
}

/** Offsets of the list's items. */
export function listOffsets({ items, days }: ListView, found: FoundFiles, rowHeight: number): RowOffsets {
  const odd = found.size === 0 ? days.map((index) => ({ index, height: dayHeight })) : oddRows(items, found, rowHeight)
  return new RowOffsets(items.length, rowHeight, odd)
}

function oddRows(items: readonly ListItem[], found: FoundFiles, rowHeight: number): OddRow[] {
  return items.flatMap((item, index) => {
    if (isDay(item)) return [{ index, height: dayHeight }]
    return found.get(item.id) ? [{ index, height: rowHeight + sentenceHeight }] : []
  })
}

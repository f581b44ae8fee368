import { type OddRow, RowOffsets } from '../../../base/ui/virtual-rows/row-offsets.ts'
import type { Preferences } from '../../../signed-in/preferences/preferences.ts'
import type { FoundFiles } from '../found/use-found.ts'
import { isDay, type ListItem, type ListView } from '../list/list-view.ts'

/* Heights of the list and its rows in pixels, at the usual font size of 16. */

const fileHeights = { comfortable: 52, compact: 40 }
/** A file on a phone. */
const cardHeight = 122
const dayHeight = 29
/** The line of a full-text match. */
const sentenceHeight = 28

/** How much larger the browser's own font is than usual, as it was when the list was opened: rows grow with it. */
export function readScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
}

/** Height of a file as a card, or in the table, by the account's preferred density. */
export function fileHeight(density: Preferences['density'], hasCards: boolean, scale: number): number {
  return Math.round((hasCards ? cardHeight : fileHeights[density]) * scale)
}

/** Offsets of the list's items. */
export function listOffsets(view: ListView, found: FoundFiles, rowHeight: number, scale: number): RowOffsets {
  const { items, days } = view
  const day = Math.round(dayHeight * scale)
  const sentence = Math.round(sentenceHeight * scale)
  const heightOf = (item: ListItem) => (isDay(item) ? day : found.get(item.id) ? rowHeight + sentence : null)
  const odd: OddRow[] =
    found.size === 0
      ? days.map((index) => ({ index, height: day }))
      : items.flatMap((item, index) => {
          const height = heightOf(item)
          return height === null ? [] : [{ index, height }]
        })
  return new RowOffsets(items.length, rowHeight, odd)
}

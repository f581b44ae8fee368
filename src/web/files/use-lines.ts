import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { defaultRangeExtractor } from '@tanstack/virtual-core'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { preferencesNow } from '../shell/preferences.ts'
import type { Line } from './list-view.ts'

const fileHeights = { comfortable: 52, compact: 40 }
export const cardHeight = 122
const dayHeight = 29

/** Height of a row, in pixels, as dense as the account wants its lists. */
export function fileHeight(): number {
  return fileHeights[preferencesNow().density]
}

function lineKey(line: Line | undefined): string {
  if (!line) return ''
  return line.kind === 'day' ? `day ${line.day}` : line.row.id
}

/**
 * Which lines are on screen and where, as the window scrolls.
 * @param body the element that holds the lines
 * @param keptLine index of the row in use: it stays in the document when it is scrolled away, or the keyboard would
 *   fall off the page; -1 for none
 */
export function useLines(
  lines: readonly Line[],
  body: RefObject<HTMLElement | null>,
  isPhone: boolean,
  keptLine: number,
) {
  const [margin, setMargin] = useState(0)
  // Whatever comes or goes above the list (a notice, a turned phone) moves it: the page's size tells.
  useLayoutEffect(() => {
    const measure = () => setMargin((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])

  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === 'day' ? dayHeight : isPhone ? cardHeight : fileHeight()),
    getItemKey: (index) => lineKey(lines[index]),
    overscan: 6,
    scrollMargin: margin,
    scrollPaddingStart: 44,
    scrollPaddingEnd: 96,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      return keptLine < 0 || indexes.includes(keptLine) ? indexes : [...indexes, keptLine].sort((a, b) => a - b)
    },
  })
  // Sizes are known by kind: a list of other lines is measured anew.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, lines, isPhone])
  return { virtualizer, margin }
}

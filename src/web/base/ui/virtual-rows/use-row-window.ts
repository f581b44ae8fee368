import { type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { RowOffsets } from './row-offsets.ts'
import { type RowRange, RowWindow, type RowWindowOptions } from './row-window.ts'

type VirtualRows = {
  range: RowRange
  /** scrolls the minimum needed to show a row */
  reveal: (index: number) => void
}

/**
 * Which rows of a list to render while the browser window scrolls it.
 * @param list the element whose top edge is that of the first row
 * @param options only those of the first render apply
 */
export function useRowWindow(
  offsets: RowOffsets,
  list: RefObject<HTMLElement | null>,
  options: RowWindowOptions,
): VirtualRows {
  const [rowWindow] = useState(() => new RowWindow(options))
  useLayoutEffect(() => (list.current ? rowWindow.attach(list.current) : undefined), [rowWindow, list])
  const rangeNow = useMemo(() => rowWindow.rangeOf(offsets), [rowWindow, offsets])
  const range = useSyncExternalStore(rowWindow.subscribe, rangeNow)
  return { range, reveal: (index) => rowWindow.reveal(offsets, index) }
}

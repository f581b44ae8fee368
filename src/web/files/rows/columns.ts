import { useState } from 'react'
import type { SortKey } from '../list/list-state.ts'

/** Columns between the name and the download button, in their order. */
export const columnIds = ['seconds', 'bytes', 'order', 'progress', 'due', 'total'] as const
export type ColumnId = (typeof columnIds)[number]

type Column = { label: string; sort: SortKey; width: number; numeric: boolean }

export const columns: Record<ColumnId, Column> = {
  seconds: { label: 'Length', sort: 'seconds', width: 86, numeric: true },
  bytes: { label: 'Size', sort: 'bytes', width: 90, numeric: true },
  order: { label: 'Order', sort: 'order', width: 168, numeric: false },
  progress: { label: 'Progress', sort: 'progress', width: 184, numeric: false },
  due: { label: 'Due', sort: 'due', width: 96, numeric: false },
  total: { label: 'Total', sort: 'total', width: 92, numeric: true },
}

const minWidth = 64
const maxWidth = 480
/** From this width of the window on columns have their whole width. */
const fullFromPx = 1_200
const storageKey = 'parley.files.columns'

type Layout = { visible: readonly ColumnId[]; widths: Partial<Record<ColumnId, number>> }

const defaultLayout: Layout = { visible: ['seconds', 'order', 'progress', 'total'], widths: {} }

function restore(): Layout {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Layout | null
    if (!kept) return defaultLayout
    return { visible: columnIds.filter((id) => kept.visible.includes(id)), widths: { ...kept.widths } }
  } catch {
    return defaultLayout
  }
}

export type ColumnControls = {
  visible: readonly ColumnId[]
  /** the CSS `grid-template-columns` of every line of the table */
  template: string
  widthOf: (id: ColumnId) => number
  resize: (id: ColumnId, width: number) => void
  show: (id: ColumnId, visible: boolean) => void
  reset: () => void
}

/** Which columns are shown and how wide, remembered on this device. */
export function useColumns(): ColumnControls {
  const [layout, setLayout] = useState(restore)
  return controlsOf(layout, (next) => {
    setLayout(next)
    localStorage.setItem(storageKey, JSON.stringify(next))
  })
}

/** The columns as they stand, for what is drawn once: nothing changes them. */
export function columnsNow(): ColumnControls {
  return controlsOf(restore(), () => {})
}

function controlsOf(layout: Layout, change: (next: Layout) => void): ColumnControls {
  const widthOf = (id: ColumnId) => layout.widths[id] ?? columns[id].width
  // On narrow screens the columns of words leave room to the names, unless somebody has set their width.
  const trackOf = (id: ColumnId) =>
    layout.widths[id] === undefined && !columns[id].numeric
      ? `min(${columns[id].width}px, ${((100 * columns[id].width) / fullFromPx).toFixed(1)}vw)`
      : `${widthOf(id)}px`
  return {
    visible: layout.visible,
    template: `2.5rem minmax(11rem, 1fr) ${layout.visible.map(trackOf).join(' ')} 7.25rem`,
    widthOf,
    resize: (id, width) =>
      change({
        ...layout,
        widths: { ...layout.widths, [id]: Math.round(Math.min(maxWidth, Math.max(minWidth, width))) },
      }),
    show: (id, visible) =>
      change({
        ...layout,
        visible: columnIds.filter((one) => (one === id ? visible : layout.visible.includes(one))),
      }),
    reset: () => change(defaultLayout),
  }
}

import { useState } from 'react'
import { type ColumnId, columnIds, columns } from './columns.tsx'

const minWidth = 64
const maxWidth = 480
/** From this width of the window on columns have their whole width. */
const fullFromPx = 1_200
const storageKey = 'parley.files.columns'

type Layout = { visible: readonly ColumnId[]; widths: Partial<Record<ColumnId, number>> }

const initialLayout: Layout = { visible: columnIds.filter((id) => columns[id].initiallyVisible), widths: {} }

function readStored(): Layout {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Layout | null
    if (!stored) return initialLayout
    return { visible: columnIds.filter((id) => stored.visible.includes(id)), widths: { ...stored.widths } }
  } catch {
    return initialLayout
  }
}

export type ColumnControls = {
  visible: readonly ColumnId[]
  /** the CSS `grid-template-columns` of every row of the table */
  template: string
  widthOf: (id: ColumnId) => number
  resize: (id: ColumnId, width: number) => void
  show: (id: ColumnId, visible: boolean) => void
  reset: () => void
}

/** Which columns are shown and how wide they are, stored on this device. */
export function useColumns(): ColumnControls {
  const [layout, setLayout] = useState(readStored)
  return controlsOf(layout, (next) => {
    setLayout(next)
    localStorage.setItem(storageKey, JSON.stringify(next))
  })
}

function controlsOf(layout: Layout, change: (next: Layout) => void): ColumnControls {
  const widthOf = (id: ColumnId) => layout.widths[id] ?? columns[id].width
  // In narrow windows columns of text leave room to the names, unless somebody has set their width.
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
    reset: () => change(initialLayout),
  }
}

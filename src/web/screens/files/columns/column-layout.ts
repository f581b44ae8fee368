import { useState } from 'react'
import { changePreferences } from '../../../signed-in/preferences/change-preferences.ts'
import { usePreferences } from '../../../signed-in/preferences/preferences.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { type ColumnId, columnIds, columns } from './columns.tsx'

const minWidth = 64
const maxWidth = 480
/** Columns have their full width in windows at least this wide. */
const fullFromPx = 1_200

/** A visible column; without a width it has its default one. */
type Shown = { id: ColumnId; width?: number }
type Layout = readonly Shown[]

const isColumn = (id: string): id is ColumnId => columnIds.some((one) => one === id)
/** Represents a layout without columns, as '' represents the default ones. */
const noColumns = 'none'

/**
 * Parses `seconds,order:220`: columns in order, with any custom widths in pixels. '' is the default layout. Unknown
 * columns are skipped, and listed in `unknown`.
 */
export function readColumns(text: string): { layout: Layout; unknown: string[] } {
  if (text === '') {
    return { layout: columnIds.filter((id) => columns[id].initiallyVisible).map((id) => ({ id })), unknown: [] }
  }
  const layout = new Map<ColumnId, Shown>()
  const unknown: string[] = []
  for (const [id = '', width] of text.split(',').map((part) => part.split(':'))) {
    if (isColumn(id)) layout.set(id, { id, ...(Number(width) > 0 && { width: within(Number(width)) }) })
    else if (id !== '' && id !== noColumns) unknown.push(id)
  }
  return { layout: [...layout.values()], unknown }
}

function printLayout(layout: Layout): string {
  return layout.map(({ id, width }) => (width === undefined ? id : `${id}:${width}`)).join(',') || noColumns
}

const within = (width: number) => Math.round(Math.min(maxWidth, Math.max(minWidth, width)))

export type ColumnControls = {
  /** in order */
  visible: readonly ColumnId[]
  /** the visible ones, followed by the others */
  all: readonly { id: ColumnId; label: string }[]
  /** columns and widths, as a view stores them */
  text: string
  /** the CSS `grid-template-columns` of every row of the table */
  template: string
  widthOf: (id: ColumnId) => number
  /** @param isLast false while dragging, so that nothing is stored yet */
  resize: (id: ColumnId, width: number, isLast: boolean) => void
  show: (id: ColumnId, visible: boolean) => void
  /** -1 moves left, 1 right */
  move: (id: ColumnId, by: -1 | 1) => void
  reset: () => void
}

/**
 * Which columns are shown, in which order and how wide: those of the URL if it names any, else the account's.
 * @param named those of the URL, '' if it names none
 */
export function useColumns(named: string, onNamed: (columns: string) => void): ColumnControls {
  const session = useSession()
  const own = usePreferences().columns
  const stored = named || own
  // While an edge is dragged, and until the URL has caught up.
  const [drawn, setDrawn] = useState({ over: '', text: '' })
  if (drawn.text !== '' && drawn.over !== stored) setDrawn({ over: stored, text: '' })
  const text = drawn.text || stored
  const store = (next: string) => {
    setDrawn({ over: stored, text: named === '' ? '' : next })
    if (named === '') void changePreferences(session, { columns: next })
    else onNamed(next)
  }
  const { layout } = readColumns(text)
  return layOutControls(
    layout,
    (next, isLast) => {
      if (isLast) store(printLayout(next))
      else setDrawn({ over: stored, text: printLayout(next) })
    },
    () => store(named === '' ? '' : printLayout(readColumns('').layout)),
  )
}

function layOutControls(
  layout: Layout,
  change: (next: Layout, isLast: boolean) => void,
  reset: () => void,
): ColumnControls {
  const visible = layout.map(({ id }) => id)
  const all = [...new Set([...visible, ...columnIds])].map((id) => ({ id, label: columns[id].label }))
  const widthOf = (id: ColumnId) => layout.find((one) => one.id === id)?.width ?? columns[id].width
  // Unless the user set their width, columns grow with the browser's font, and those of text give way to the names in
  // narrow windows.
  const trackOf = ({ id, width }: Shown) => {
    if (width !== undefined) return `${width}px`
    const usual = `${columns[id].width / 16}rem`
    return columns[id].numeric ? usual : `min(${usual}, ${((100 * columns[id].width) / fullFromPx).toFixed(1)}vw)`
  }
  return {
    visible,
    all,
    text: printLayout(layout),
    template: `2.5rem minmax(11rem, 1fr) ${layout.map(trackOf).join(' ')} 9.25rem`,
    widthOf,
    resize: (id, width, isLast) =>
      change(
        layout.map((one) => (one.id === id ? { id, width: within(width) } : one)),
        isLast,
      ),
    show: (id, wanted) => change(wanted ? [...layout, { id }] : layout.filter((one) => one.id !== id), true),
    move: (id, by) => {
      const at = visible.indexOf(id)
      const moved = layout[at]
      if (moved === undefined) return
      change(layout.toSpliced(at, 1).toSpliced(Math.max(0, at + by), 0, moved), true)
    },
    reset,
  }
}

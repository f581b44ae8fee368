import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Environment } from '../../../../contract/interface/environment.ts'
import type { MenuFormat } from '../../../../contract/interface/transcript-formats.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import { GridPart } from '../../../base/ui/grid.tsx'
import type { Point } from '../../../base/ui/menu.tsx'
import { countText } from '../../../base/ui/sizes.ts'
import { Skeleton } from '../../../base/ui/skeleton.tsx'
import type { RowRange } from '../../../base/ui/virtual-rows/row-window.ts'
import { type Recyclable, useRecycled } from '../../../base/ui/virtual-rows/use-recycled.ts'
import { useRowWindow } from '../../../base/ui/virtual-rows/use-row-window.ts'
import type { FileLibrary } from '../../../signed-in/library/library.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'
import { usePreferences } from '../../../signed-in/preferences/preferences.ts'
import type { ColumnControls } from '../columns/column-layout.ts'
import type { Direction } from '../columns/columns.tsx'
import type { FoundFiles } from '../found/use-found.ts'
import { fileHeight, listOffsets, readScale } from '../rows/list-layout.ts'
import { type RowAction, rowElementId, rowIdAt } from '../rows/row-element.ts'
import { TableHead } from '../rows/table-head.tsx'
import { MemoDayTableRow, MemoFileTableRow } from '../rows/table-row.tsx'
import type { SortKey } from './list-state.ts'
import { isDay, type ListItem, type ListView } from './list-view.ts'
import { type RowCommand, tableEvents } from './table-events.ts'

type Props = {
  environment: Environment
  library: FileLibrary
  view: ListView
  /** files with full-text matches: their rows have an extra line */
  found: FoundFiles
  /** how many files follow the known ones */
  unlisted: number
  /** names of projects by id */
  projects: ReadonlyMap<string, string>
  /** rows are cards, not a table: see `cardsQuery` */
  hasCards: boolean
  columns: ColumnControls
  sort: SortKey
  direction: Direction
  onSort: (sort: SortKey, direction: Direction) => void
  selection: ReadonlySet<string>
  onSelectAll: (selected: boolean) => void
  /** the row with keyboard focus, now or last */
  activeId: string | null
  onActivate: (id: string) => void
  onCommand: (command: RowCommand, id: string) => void
  onAction: (action: RowAction, id: string, control: HTMLElement, range: boolean) => void
  onMenu: (id: string, row: HTMLElement, at: Point) => void
  /** called when the rows on screen change */
  onVisible: (ids: string[]) => void
  format: MenuFormat
  now: number
  dates: Dates
  /** ids of files that this tab deletes when they are ready */
  wishes: ReadonlySet<string>
  /** ids of the transcripts corrected on this device */
  corrected: ReadonlySet<string>
}

/** The sticky headings cover the top of the list, the selection bar its bottom. */
const windowOptions = { overscan: 3, recycles: true, coveredAbove: 44, coveredBelow: 96 }

/** The list as a virtualized grid: only the rows on screen exist. The window scrolls it; arrows move the active row. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: window, focus and events are about the same rows
export function FilesTable(props: Props) {
  const { view, found, unlisted, hasCards, columns, selection, activeId, onActivate } = props
  const { items, rows } = view
  const body = useRef<HTMLDivElement>(null)
  const { density } = usePreferences()
  const [scale] = useState(readScale)
  const rowHeight = fileHeight(density, hasCards, scale)
  const offsets = useMemo(() => listOffsets(view, found, rowHeight, scale), [view, found, rowHeight, scale])
  const { range, reveal } = useRowWindow(offsets, body, windowOptions)
  const activeIndex = useMemo(() => findRowIndex(items, activeId), [items, activeId])
  const { hasFocus, requestFocus, onFocus, onBlur } = useRowFocus(activeId, onActivate)
  useNeighbor(items, activeId, activeIndex, moveTo)
  const shown = itemsShown(items, range, activeIndex)
  useVisibleFiles(shown, props.onVisible)
  // Moving a focused element in the document blurs it: while the list has keyboard focus, none moves.
  const elements = useRecycled(shown, range.isAtRest && !hasFocus.current)

  function moveTo(id: string) {
    requestFocus()
    reveal(findRowIndex(items, id))
    onActivate(id)
  }

  const headRows = hasCards ? 0 : 1
  const tabId = activeIndex >= 0 ? activeId : rows[0]?.id
  return (
    <GridPart
      role="grid"
      aria-label="Files"
      aria-rowcount={items.length + headRows}
      aria-colcount={hasCards ? 1 : columns.visible.length + 3}
      aria-multiselectable
      className="rounded-lg border border-line bg-surface"
      style={{ '--columns': columns.template } as React.CSSProperties}
    >
      {!hasCards && <TableHead {...props} rowCount={rows.length} selectedCount={selection.size} />}
      <GridPart
        role="rowgroup"
        ref={body}
        {...tableEvents({ ...props, rows, rowHeight, moveTo })}
        onFocus={onFocus}
        onBlur={onBlur}
        className={`relative overflow-clip rounded-b-lg ${hasCards ? 'rounded-t-lg' : '-mt-px'}`}
        style={{ height: offsets.height + unlisted * rowHeight }}
      >
        {elements.map(({ key, item, index }) => {
          const place = { top: offsets.top(index), height: offsets.heightOf(index), number: index + 1 + headRows }
          if (isDay(item)) return <MemoDayTableRow key={key} {...item} dates={props.dates} {...place} />
          return (
            <MemoFileTableRow key={key} {...place} {...fileProps(item, props)} active={hasCards || item.id === tabId} />
          )
        })}
        <UnknownRows from={offsets.height} count={unlisted} rowHeight={rowHeight} />
      </GridPart>
    </GridPart>
  )
}

function fileProps(
  row: FileRow,
  { environment, library, hasCards, columns, found, projects, selection, wishes, corrected, format, now, dates }: Props,
) {
  return {
    environment,
    row,
    sentence: found.get(row.id) ?? null,
    sameAs: sameAs(row, library),
    project: projects.get(row.record?.project ?? '') ?? null,
    hasCards,
    columns: columns.visible,
    selected: selection.has(row.id),
    deletesWhenReady: row.record?.deleteWhenReady === true || wishes.has(row.id),
    isCorrected: corrected.has(row.id) || (row.record?.corrections ?? 0) > 0,
    format,
    now,
    dates,
  }
}

/** The name of another file with the same recording, and how many more there are; null if there is none. */
function sameAs({ record }: FileRow, library: FileLibrary): string | null {
  const [id, ...more] = record?.metadata.duplicates ?? []
  if (id === undefined) return null
  const name = library.row(id)?.record?.metadata.name || id
  return more.length === 0 ? name : `${name} and ${countText(more.length)} more`
}

function findRowIndex(items: readonly ListItem[], id: string | null): number {
  return id === null ? -1 : items.findIndex((item) => !isDay(item) && item.id === id)
}

type ShownItem = Recyclable & { item: ListItem; index: number }

/** The items of a range, and the active row even when scrolled away, since it holds the keyboard focus. */
function itemsShown(items: readonly ListItem[], { first, end }: RowRange, active: number): ShownItem[] {
  const shown: ShownItem[] = []
  const add = (index: number) => {
    const item = items[index]
    if (item === undefined) return
    const own = isDay(item) ? { id: `day ${item.day}`, hasOwnElement: true } : { id: item.id }
    shown.push({ ...own, item, index })
  }
  if (active >= 0 && active < first) add(active)
  for (let index = first; index < end; index += 1) add(index)
  if (active >= end) add(active)
  return shown
}

/** Reports the files on screen when they change. */
function useVisibleFiles(shown: readonly ShownItem[], onVisible: (ids: string[]) => void): void {
  const ids = shown.flatMap(({ item }) => (isDay(item) ? [] : [item.id]))
  const idsKey = ids.join('\n')
  useEffect(() => onVisible(ids), [idsKey, onVisible])
}

/** Outlines of a few rows below the known ones, representing all `count` rows not yet known. */
function UnknownRows({ from, count, rowHeight }: { from: number; count: number; rowHeight: number }) {
  return Array.from({ length: Math.min(count, 12) }, (_, index) => (
    <div
      key={`unknown ${index + 1}`}
      className="absolute inset-x-0 top-0 flex items-center gap-8 border-t border-line px-12"
      style={{ transform: `translateY(${from + index * rowHeight}px)`, height: rowHeight }}
    >
      <Skeleton className="h-3 w-52" />
      <Skeleton className="ml-auto h-3 w-24" />
    </div>
  ))
}

/** When the active row leaves the list and the focus went with it, moves to the row now in its place, or the last. */
function useNeighbor(
  items: readonly ListItem[],
  activeId: string | null,
  activeIndex: number,
  moveTo: (id: string) => void,
): void {
  const place = useRef(0)
  useLayoutEffect(() => {
    if (activeIndex >= 0) place.current = activeIndex
    else if (activeId !== null && document.activeElement === document.body) {
      const isRow = (item: ListItem) => !isDay(item)
      const next = items.slice(place.current).find(isRow) ?? items.findLast(isRow)
      if (next && !isDay(next)) moveTo(next.id)
    }
  }, [items, activeId, activeIndex])
}

type RowFocus = {
  /** whether the list has keyboard focus */
  hasFocus: RefObject<boolean>
  /** focuses the active row once it is rendered */
  requestFocus: () => void
  onFocus: (event: React.FocusEvent<HTMLElement>) => void
  onBlur: () => void
}

/** Makes keyboard focus follow the active row, whose element may not exist yet when it becomes active. */
function useRowFocus(activeId: string | null, onActivate: (id: string) => void): RowFocus {
  const isRequested = useRef(false)
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    if (!isRequested.current || activeId === null) return
    const element = document.getElementById(rowElementId(activeId))
    if (!element) return
    isRequested.current = false
    element.focus({ preventScroll: true })
  })
  return {
    hasFocus,
    requestFocus: () => {
      isRequested.current = true
    },
    onFocus: ({ target }) => {
      hasFocus.current = true
      const id = rowIdAt(target)
      if (id !== null) onActivate(id)
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
}

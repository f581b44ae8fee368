import { memo, useEffect, useLayoutEffect, useRef } from 'react'
import { dayHeading } from '../ui/dates.ts'
import { GridPart } from '../ui/grid.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ColumnControls } from './columns.ts'
import { FileCard } from './file-card.tsx'
import { FileCells, nameOf, type RowProps } from './file-row.tsx'
import type { Direction, SortKey } from './list-state.ts'
import type { Line, ListView } from './list-view.ts'
import { TableHead } from './table-head.tsx'
import { type Movement, movementOf } from './table-keys.ts'
import { cardHeight, fileHeight, useLines } from './use-lines.ts'

/** A row that has become ready flashes once, not again whenever it is scrolled into sight. */
const flashMs = 2_000

type Props = {
  view: ListView
  /** also rows that are not known yet */
  total: number
  isPhone: boolean
  columns: ColumnControls
  sort: SortKey
  direction: Direction
  onSort: (sort: SortKey, direction: Direction) => void
  selection: ReadonlySet<string>
  onSelectAll: (selected: boolean) => void
  /** the row in use: where the keyboard is, or was last */
  activeId: string | null
  onActivate: (id: string) => void
  onCommand: (command: Exclude<Movement, { kind: 'move' }>, id: string) => void
  /** the rows on screen changed */
  onVisible: (ids: string[]) => void
  rowPropsOf: (line: Line & { kind: 'file' }) => Omit<RowProps, 'active' | 'columns'>
}

/**
 * The list as a grid of which only what is on screen exists. The window scrolls it; arrows move the row in use. Longer
 * than most: focus, keys and lines belong to the same rows.
 */
export function FilesTable(props: Props) {
  const { view, total, isPhone, columns, selection, activeId, onActivate, onCommand, onVisible, rowPropsOf } = props
  const { lines, rows } = view
  const body = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  const activeLine = lines.findIndex((line) => line.kind === 'file' && line.row.id === activeId)
  const { virtualizer, margin } = useLines(lines, body, isPhone, activeLine)
  const items = virtualizer.getVirtualItems()
  const visibleIds = items.flatMap(({ index }) => {
    const line = lines[index]
    return line?.kind === 'file' ? [line.row.id] : []
  })
  const visibleKey = visibleIds.join('\n')
  useEffect(() => onVisible(visibleIds), [visibleKey, onVisible])

  useLayoutEffect(() => {
    if (!wantsFocus.current || activeId === null) return
    const element = document.getElementById(rowElementId(activeId))
    if (!element) return
    wantsFocus.current = false
    element.focus({ preventScroll: true })
  })

  function move(by: number | 'first' | 'last'): string | null {
    const at = rows.findIndex((row) => row.id === activeId)
    const next = by === 'first' ? 0 : by === 'last' ? rows.length - 1 : Math.min(rows.length - 1, Math.max(0, at + by))
    const row = rows[next]
    if (!row) return null
    wantsFocus.current = true
    virtualizer.scrollToIndex(
      lines.findIndex((line) => line.kind === 'file' && line.row === row),
      { align: 'auto' },
    )
    onActivate(row.id)
    return row.id
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLElement>, id: string) {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor(window.innerHeight / fileHeight()) - 3)
    const movement = movementOf(event, page)
    if (!movement) return
    event.preventDefault()
    if (movement.kind !== 'move') return onCommand(movement, id)
    if (movement.extend && !selection.has(id)) onCommand({ kind: 'select', range: false }, id)
    const reached = move(movement.by)
    if (movement.extend && reached) onCommand({ kind: 'select', range: true }, reached)
  }

  const tabId = activeLine >= 0 ? activeId : rows[0]?.id
  return (
    <GridPart
      role="grid"
      aria-label="Files"
      aria-rowcount={isPhone ? rows.length : lines.length + 1}
      aria-colcount={isPhone ? 1 : columns.visible.length + 3}
      aria-multiselectable
      className="rounded-lg border border-line bg-surface"
      style={{ '--columns': columns.template } as React.CSSProperties}
    >
      {!isPhone && <TableHead {...props} rowCount={rows.length} selectedCount={selection.size} />}
      <GridPart
        role="rowgroup"
        ref={body}
        className={`relative overflow-clip rounded-b-lg ${isPhone ? 'rounded-t-lg' : '-mt-px'}`}
        style={{ height: virtualizer.getTotalSize() + missingHeight(total, rows.length, isPhone) }}
      >
        {items.map(({ key, index, start, size }) => {
          const line = lines[index]
          if (!line) return null
          const place = { transform: `translateY(${start - margin}px)`, height: size }
          if (line.kind === 'day') return <DayRow key={key} day={line.day} index={index} style={place} />
          const { id } = line.row
          return (
            <GridPart
              role="row"
              key={key}
              id={rowElementId(id)}
              aria-rowindex={index + (isPhone ? 1 : 2)}
              aria-selected={selection.has(id)}
              aria-label={nameOf(line.row)}
              tabIndex={id === tabId ? 0 : -1}
              data-ready-now={Date.now() - (line.row.readySeenAt ?? 0) < flashMs}
              onKeyDown={(event) => onKeyDown(event, id)}
              onFocus={() => onActivate(id)}
              onClick={(event) => {
                if ((event.target as HTMLElement).closest('a, button, input')) return
                onCommand(
                  event.shiftKey || event.ctrlKey || event.metaKey
                    ? { kind: 'select', range: event.shiftKey }
                    : { kind: 'open' },
                  id,
                )
              }}
              className={rowClass(isPhone, selection.has(id))}
              style={place}
            >
              {isPhone ? (
                <GridPart role="gridcell" className="h-full">
                  <FileCard {...rowPropsOf(line)} active columns={columns.visible} />
                </GridPart>
              ) : (
                <FileCells {...rowPropsOf(line)} active={id === tabId} columns={columns.visible} />
              )}
            </GridPart>
          )
        })}
        <MissingRows from={virtualizer.getTotalSize()} count={total - rows.length} />
      </GridPart>
    </GridPart>
  )
}

function rowClass(isPhone: boolean, selected: boolean): string {
  const shape = isPhone ? '' : 'grid [grid-template-columns:var(--columns)]'
  const tone = selected ? 'bg-accent-faint' : 'hover:bg-canvas'
  return `absolute inset-x-0 top-0 cursor-default border-t border-line -outline-offset-2 data-[ready-now=true]:animate-flash ${shape} ${tone}`
}

function rowElementId(id: string): string {
  return `file-${id}`
}

const DayRow = memo(function DayRow({ day, index, style }: { day: number; index: number; style: React.CSSProperties }) {
  return (
    <GridPart
      role="row"
      aria-rowindex={index + 2}
      className="absolute inset-x-0 top-0 border-t border-line"
      style={style}
    >
      <GridPart role="gridcell" className="flex h-full items-center bg-canvas px-3 text-xs font-medium text-ink-2">
        {dayHeading(day)}
      </GridPart>
    </GridPart>
  )
})

/** Room for rows whose names are not known yet, so that the page has its length from the start. */
function missingHeight(total: number, known: number, isPhone: boolean): number {
  return Math.max(0, total - known) * (isPhone ? cardHeight : fileHeight())
}

/** A few rows in outline below the known ones. */
function MissingRows({ from, count }: { from: number; count: number }) {
  return Array.from({ length: Math.max(0, Math.min(count, 12)) }, (_, index) => (
    <div
      key={`missing ${index + 1}`}
      className="absolute inset-x-0 top-0 flex items-center gap-8 border-t border-line px-12"
      style={{ transform: `translateY(${from + index * fileHeight()}px)`, height: fileHeight() }}
    >
      <Skeleton className="h-3 w-52" />
      <Skeleton className="ml-auto h-3 w-24" />
    </div>
  ))
}

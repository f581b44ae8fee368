import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Environment } from '../../../contract/environment.ts'
import type { TranscriptFormat } from '../../../contract/transcript-formats.ts'
import { GridPart } from '../../ui/grid.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { ColumnControls } from '../rows/columns.ts'
import { repeatEarlyPress } from '../rows/early-press.ts'
import { cardHeight, fileHeight, gridClass, rowsClass } from '../rows/list-look.ts'
import { TableHead } from '../rows/table-head.tsx'
import { DayRow, rowElementId, rowIdAt, TableRow } from '../rows/table-row.tsx'
import type { Direction, SortKey } from './list-state.ts'
import { isDay, type Line, type ListView } from './list-view.ts'
import { DocumentOrder, RowSlots } from './row-slots.ts'
import { type Movement, movementOf } from './table-keys.ts'
import { useLines } from './use-lines.ts'

/** What a control in a row does; rows name it in `data-does`. */
export type RowDeed = 'toggle' | 'download' | 'menu' | 'retry'

type Props = {
  environment: Environment
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
  onDeed: (deed: RowDeed, id: string, control: HTMLElement, range: boolean) => void
  /** the rows on screen changed */
  onVisible: (ids: string[]) => void
  format: TranscriptFormat
  now: number
  /** ids that this tab deletes when they are ready */
  wishes: ReadonlySet<string>
}

/**
 * The list as a grid of which only what is on screen exists. The window scrolls it; arrows move the row in use. Longer
 * than most: focus, keys and lines belong to the same rows.
 */
export function FilesTable(props: Props) {
  const { view, total, isPhone, columns, selection, activeId, onActivate, onCommand, onDeed, onVisible } = props
  const { lines, rows } = view
  const body = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  const holdsFocus = useRef(false)
  const activeLine = useMemo(() => lineOf(lines, activeId), [lines, activeId])
  const { places, first, end, isAtRest, reveal } = useLines(lines.length, view.days, body, isPhone)
  const shown = linesShown(lines, first, end, activeLine)
  const slots = useRef<RowSlots>(null)
  slots.current ??= new RowSlots()
  const visibleIds = shown.flatMap(({ line }) => (isDay(line) ? [] : [line.id]))
  const slotOf = slots.current.assign(visibleIds)
  const keyOf = (line: Line) => (isDay(line) ? `day ${line.day}` : (slotOf.get(line.id) ?? line.id))
  const byKey = new Map(shown.map((one) => [keyOf(one.line), one]))
  const order = useRef<DocumentOrder<string | number>>(null)
  order.current ??= new DocumentOrder()
  // An element that moves in the document loses the focus: whoever uses the keyboard goes from row to row by it.
  const ordered = order.current.arrange([...byKey.keys()], isAtRest && !holdsFocus.current)
  const visibleKey = visibleIds.join('\n')
  useEffect(() => onVisible(visibleIds), [visibleKey, onVisible])

  useEffect(repeatEarlyPress, [])

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
    reveal(lineOf(lines, row.id))
    onActivate(row.id)
    return row.id
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLElement>) {
    const id = (event.target as HTMLElement).dataset.id
    if (id === undefined) return
    const page = Math.max(1, Math.floor(window.innerHeight / fileHeight()) - 3)
    const movement = movementOf(event, page)
    if (!movement) return
    event.preventDefault()
    if (movement.kind !== 'move') return onCommand(movement, id)
    if (movement.extend && !selection.has(id)) onCommand({ kind: 'select', range: false }, id)
    const reached = move(movement.by)
    if (movement.extend && reached) onCommand({ kind: 'select', range: true }, reached)
  }

  function onClick(event: React.MouseEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const id = rowIdAt(target)
    if (id === null) return
    const control = target.closest<HTMLElement>('[data-does]')
    if (control) return onDeed(control.dataset.does as RowDeed, id, control, event.shiftKey)
    const onLink = target.closest('a') !== null
    // A link with a key held opens elsewhere, as the browser does it.
    if (onLink && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) return
    if (onLink) event.preventDefault()
    const selects = event.shiftKey || event.ctrlKey || event.metaKey
    onCommand(selects ? { kind: 'select', range: event.shiftKey } : { kind: 'open' }, id)
  }

  const tabId = activeLine >= 0 ? activeId : rows[0]?.id
  const headRows = isPhone ? 0 : 1
  return (
    <GridPart
      role="grid"
      aria-label="Files"
      aria-rowcount={lines.length + headRows}
      aria-colcount={isPhone ? 1 : columns.visible.length + 3}
      aria-multiselectable
      className={gridClass}
      style={{ '--columns': columns.template } as React.CSSProperties}
    >
      {!isPhone && <TableHead {...props} rowCount={rows.length} selectedCount={selection.size} />}
      <GridPart
        role="rowgroup"
        ref={body}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onBlur={() => (holdsFocus.current = false)}
        onFocus={(event) => {
          holdsFocus.current = true
          const id = rowIdAt(event.target)
          if (id !== null) onActivate(id)
        }}
        className={rowsClass(isPhone)}
        style={{ height: places.height + missingHeight(total, rows.length, isPhone) }}
      >
        {ordered.map((key) => {
          const { line, index } = byKey.get(key) as ShownLine
          const place = { top: places.top(index), height: places.heightOf(index), number: index + 1 + headRows }
          if (isDay(line)) return <DayRow key={key} day={line.day} {...place} />
          return (
            <TableRow
              key={key}
              {...place}
              environment={props.environment}
              row={line}
              isPhone={isPhone}
              columns={columns.visible}
              selected={selection.has(line.id)}
              active={isPhone || line.id === tabId}
              deletesWhenReady={line.record?.deleteWhenReady === true || props.wishes.has(line.id)}
              format={props.format}
              now={props.now}
            />
          )
        })}
        <MissingRows from={places.height} count={total - rows.length} />
      </GridPart>
    </GridPart>
  )
}

function lineOf(lines: readonly Line[], id: string | null): number {
  return id === null ? -1 : lines.findIndex((line) => !isDay(line) && line.id === id)
}

type ShownLine = { line: Line; index: number }

/** The lines of a window, and the row in use: it stays when it is scrolled away, or the keyboard would fall off the page. */
function linesShown(lines: readonly Line[], first: number, end: number, kept: number): ShownLine[] {
  const shown: ShownLine[] = []
  const add = (index: number) => {
    const line = lines[index]
    if (line) shown.push({ line, index })
  }
  if (kept >= 0 && kept < first) add(kept)
  for (let index = first; index < end; index += 1) add(index)
  if (kept >= end) add(kept)
  return shown
}

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

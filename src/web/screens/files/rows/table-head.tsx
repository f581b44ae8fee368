import { Checkbox } from '../../../base/ui/checkbox.tsx'
import { GridPart } from '../../../base/ui/grid.tsx'
import type { ColumnControls } from '../columns/column-layout.ts'
import { type ColumnId, columns as columnTable, type Direction } from '../columns/columns.tsx'
import { firstDirection, type SortKey } from '../list/list-state.ts'

type Props = {
  columns: ColumnControls
  sort: SortKey
  direction: Direction
  onSort: (sort: SortKey, direction: Direction) => void
  rowCount: number
  selectedCount: number
  onSelectAll: (selected: boolean) => void
}

/** The header row: each heading sorts by its column, a second press reverses the order; its edge resizes it. */
export function TableHead(props: Props) {
  const { columns, rowCount, selectedCount, onSelectAll } = props
  return (
    <GridPart role="rowgroup" className="sticky top-0 z-10">
      <GridPart
        role="row"
        aria-rowindex={1}
        className="grid h-9 rounded-t-lg border-b border-line bg-surface text-xs font-medium text-ink-3 [grid-template-columns:var(--columns)]"
      >
        <GridPart role="columnheader" className="grid place-items-center">
          <Checkbox
            aria-label="Select all files shown"
            checked={rowCount > 0 && selectedCount >= rowCount}
            indeterminate={selectedCount > 0 && selectedCount < rowCount}
            onChange={(event) => onSelectAll(event.target.checked)}
          />
        </GridPart>
        <HeadCell {...props} sortKey="name" label="Name" numeric={false} />
        {columns.visible.map((id) => (
          <HeadCell
            key={id}
            {...props}
            id={id}
            sortKey={id}
            label={columnTable[id].label}
            numeric={columnTable[id].numeric}
          />
        ))}
        <GridPart role="columnheader">
          <span className="sr-only">Download</span>
        </GridPart>
      </GridPart>
    </GridPart>
  )
}

type HeadProps = Props & { id?: ColumnId; sortKey: SortKey; label: string; numeric: boolean }

function HeadCell({ id, sortKey, label, numeric, sort, direction, onSort, columns }: HeadProps) {
  const on = sort === sortKey
  const next = on ? (direction === 'asc' ? 'desc' : 'asc') : firstDirection(sortKey)
  return (
    <GridPart
      role="columnheader"
      aria-sort={on ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
      className="relative flex min-w-0"
    >
      <button
        type="button"
        onClick={() => onSort(sortKey, next)}
        className={`flex min-w-0 flex-1 items-center gap-1 rounded-sm -outline-offset-2 hover:text-ink ${numeric ? 'justify-end pr-3' : id ? 'px-3' : ''} ${on ? 'text-ink' : ''}`}
      >
        <span className="truncate">{label}</span>
        {on && (
          <span
            aria-hidden
            className={`icon before:block before:size-3.5 ${direction === 'asc' ? 'icon-up' : 'icon-down'}`}
          />
        )}
      </button>
      {id && <WidthHandle id={id} label={label} columns={columns} />}
    </GridPart>
  )
}

/** The left edge of a column, which resizes it: drag it, or use the arrow keys. */
function WidthHandle({ id, label, columns }: { id: ColumnId; label: string; columns: ColumnControls }) {
  const width = columns.widthOf(id)
  return (
    <GridPart
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={64}
      aria-valuemax={480}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') columns.resize(id, width + 16, true)
        else if (event.key === 'ArrowRight') columns.resize(id, width - 16, true)
      }}
      onPointerDown={(event) => {
        const handle = event.currentTarget
        const from = event.clientX
        handle.setPointerCapture(event.pointerId)
        let to = width
        const onMove = (move: PointerEvent) => {
          to = width + from - move.clientX
          columns.resize(id, to, false)
        }
        const onEnd = () => {
          handle.removeEventListener('pointermove', onMove)
          if (to !== width) columns.resize(id, to, true)
        }
        handle.addEventListener('pointermove', onMove)
        handle.addEventListener('lostpointercapture', onEnd, { once: true })
      }}
      className="absolute top-1 -left-1.5 h-7 w-3 cursor-col-resize touch-none rounded-sm after:absolute after:inset-y-1.5 after:left-1/2 after:w-px after:bg-transparent hover:after:bg-line-strong"
    />
  )
}

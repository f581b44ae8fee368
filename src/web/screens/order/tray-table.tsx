import { useMemo, useRef, useState } from 'react'
import { cardClass } from '../../base/ui/card.tsx'
import { Checkbox } from '../../base/ui/checkbox.tsx'
import { SortHeading } from '../../base/ui/table.tsx'
import { useMeasuredOffsets } from '../../base/ui/virtual-rows/use-measured-offsets.ts'
import { useRowWindow } from '../../base/ui/virtual-rows/use-row-window.ts'
import { compareNames } from '../../signed-in/uploads/tray/add-to-tray.ts'
import type { PricedUpload } from './priced-tray.ts'
import { TrayRow } from './tray-row.tsx'

type Props = {
  priced: readonly PricedUpload[]
  currency: string
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onRemove: (id: string) => void
  /** sorts the recordings into this order of ids */
  onSort: (ids: readonly string[]) => void
  onMove: (id: string, beforeId: string | null) => void
  onCopyCurl: (row: PricedUpload) => void
}

const rowHeightPx = 52
const overscan = { overscan: 8 }

/**
 * All uploads about to be ordered. Virtualized, as a folder may contain thousands of recordings. Longer than most: its
 * rows share the ids and the window.
 */
export function TrayTable({ priced, currency, selected, onSelect, onRemove, onSort, onMove, onCopyCurl }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const ids = useMemo(() => priced.map(({ upload }) => upload.id), [priced])
  const { offsets, measureRef } = useMeasuredOffsets(ids, rowHeightPx)
  const { first, end } = useRowWindow(offsets, body, overscan).range

  function toggle(id: string) {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }

  /** Moves an upload by one position. */
  function step(index: number, by: -1 | 1) {
    const id = ids[index]
    const beforeId = ids[by === -1 ? index - 1 : index + 2] ?? null
    if (id !== undefined && (by === 1 || index > 0)) onMove(id, beforeId)
  }

  return (
    <div className={`overflow-clip ${cardClass}`}>
      <table
        aria-label="Files to order"
        aria-rowcount={priced.length + 1}
        className="w-full table-fixed border-collapse text-left"
      >
        <TrayHead priced={priced} selected={selected} onSelect={onSelect} onSort={onSort} />
        <tbody ref={body}>
          <Spacer height={offsets.top(first)} />
          {priced.slice(first, end).map((row, at) => (
            <TrayRow
              key={row.upload.id}
              ref={measureRef}
              row={row}
              index={first + at}
              currency={currency}
              selected={selected}
              onToggle={toggle}
              onRemove={onRemove}
              onStep={(by) => step(first + at, by)}
              onCopyCurl={onCopyCurl}
            />
          ))}
          <Spacer height={offsets.height - offsets.top(end)} />
        </tbody>
      </table>
    </div>
  )
}

function Spacer({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />
}

const sortable = {
  Recording: { className: '', compare: (a, b) => compareNames(a.upload.name, b.upload.name) },
  Size: { className: 'w-20 max-xl:hidden', compare: (a, b) => a.upload.bytes - b.upload.bytes },
  Length: { className: 'w-[5.75rem] max-xl:hidden', compare: (a, b) => (a.durationMs ?? 0) - (b.durationMs ?? 0) },
  Price: { className: 'w-32 max-xl:w-24', compare: (a, b) => (a.price?.cents ?? 0) - (b.price?.cents ?? 0) },
} satisfies Record<string, { className: string; compare: (a: PricedUpload, b: PricedUpload) => number }>
type SortKey = keyof typeof sortable
type Sorted = { by: SortKey; direction: 'ascending' | 'descending' }

function TrayHead({ priced, selected, onSelect, onSort }: Pick<Props, 'priced' | 'selected' | 'onSelect' | 'onSort'>) {
  const [sorted, setSorted] = useState<Sorted | null>(null)
  const isAllSelected = selected.size === priced.length
  const idsOf = (rows: readonly PricedUpload[]) => rows.map(({ upload }) => upload.id)

  function sort(by: SortKey) {
    const direction = sorted?.by === by && sorted.direction === 'ascending' ? 'descending' : 'ascending'
    const rows = priced.toSorted(sortable[by].compare)
    setSorted({ by, direction })
    onSort(idsOf(direction === 'ascending' ? rows : rows.toReversed()))
  }

  return (
    <thead>
      <tr aria-rowindex={1} className="h-9 text-xs text-ink-3 [&>th]:font-medium">
        <th scope="col" className="w-10">
          <span className="grid place-items-center">
            <Checkbox
              aria-label="Select all"
              checked={isAllSelected}
              indeterminate={selected.size > 0 && !isAllSelected}
              onChange={() => onSelect(isAllSelected ? new Set() : new Set(idsOf(priced)))}
            />
          </span>
        </th>
        {(Object.keys(sortable) as SortKey[]).map((key) => (
          <SortHeading
            key={key}
            name={key}
            className={`${sortable[key].className} ${key === 'Recording' ? '' : 'text-right'}`}
            direction={sorted?.by === key ? sorted.direction : null}
            onSort={() => sort(key)}
          />
        ))}
        <th scope="col" className="w-[4.75rem]">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

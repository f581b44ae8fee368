import { useMemo, useRef } from 'react'
import { cardClass } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { useMeasuredOffsets } from '../ui/virtual-rows/use-measured-offsets.ts'
import { useRowWindow } from '../ui/virtual-rows/use-row-window.ts'
import type { PricedUpload } from './priced-tray.ts'
import { TrayRow } from './tray-row.tsx'

type Props = {
  priced: readonly PricedUpload[]
  currency: string
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onRemove: (id: string) => void
  onMove: (id: string, beforeId: string | null) => void
  onCopyCurl: (row: PricedUpload) => void
}

const rowHeightPx = 52
const overscan = { overscan: 8 }

/**
 * Everything that is about to be ordered. Virtualised, as a folder may hold thousands of recordings. Longer than most: its
 * rows share the ids and the window.
 */
export function TrayTable({ priced, currency, selected, onSelect, onRemove, onMove, onCopyCurl }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const ids = useMemo(() => priced.map(({ upload }) => upload.id), [priced])
  const { offsets, measureRef } = useMeasuredOffsets(ids, rowHeightPx)
  const { first, end } = useRowWindow(offsets, body, overscan).range

  function toggle(id: string) {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }

  /** Moves an upload one place up or down. */
  function step(index: number, by: -1 | 1) {
    const id = ids[index]
    const beforeId = ids[by === -1 ? index - 1 : index + 2] ?? null
    if (id !== undefined && (by === 1 || index > 0)) onMove(id, beforeId)
  }

  return (
    <div className={`overflow-clip ${cardClass}`}>
      <table
        aria-label="Recordings to order"
        aria-rowcount={priced.length + 1}
        className="w-full table-fixed border-collapse text-left"
      >
        <TrayHead ids={ids} selected={selected} onSelect={onSelect} />
        <tbody ref={body}>
          <Spacer height={offsets.top(first)} />
          {priced.slice(first, end).map((row, at) => (
            <TrayRow
              key={row.upload.id}
              ref={measureRef}
              row={row}
              index={first + at}
              currency={currency}
              isSelected={selected.has(row.upload.id)}
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

/** The height of the rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />
}

function TrayHead({ ids, selected, onSelect }: Pick<Props, 'selected' | 'onSelect'> & { ids: readonly string[] }) {
  const isAllSelected = selected.size === ids.length
  return (
    <thead>
      <tr aria-rowindex={1} className="h-9 text-xs text-ink-3 [&>th]:font-medium">
        <th scope="col" className="w-10">
          <span className="grid place-items-center">
            <Checkbox
              aria-label="Select all"
              checked={isAllSelected}
              indeterminate={selected.size > 0 && !isAllSelected}
              onChange={() => onSelect(isAllSelected ? new Set() : new Set(ids))}
            />
          </span>
        </th>
        <th scope="col">Recording</th>
        <th scope="col" className="w-20 text-right max-xl:hidden">
          Size
        </th>
        <th scope="col" className="w-[5.75rem] text-right max-xl:hidden">
          Length
        </th>
        <th scope="col" className="w-32 text-right max-xl:w-24">
          Price
        </th>
        <th scope="col" className="w-[4.75rem]">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { cardClass } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
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
const headHeightPx = 36

/** Everything that is about to be ordered. Only the rows on screen are built: a folder may hold thousands. */
export function TrayTable({ priced, currency, selected, onSelect, onRemove, onMove, onCopyCurl }: Props) {
  const listRef = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const top = listRef.current?.getBoundingClientRect().top ?? 0
    setScrollMargin(top + window.scrollY + headHeightPx)
  }, [])
  const rows = useWindowVirtualizer({
    count: priced.length,
    estimateSize: () => rowHeightPx,
    overscan: 8,
    scrollMargin,
    getItemKey: (index) => priced[index]?.upload.id ?? index,
  })
  const isAllSelected = selected.size === priced.length

  function toggle(id: string) {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }

  /** Moves an upload one place up or down. */
  function step(index: number, by: -1 | 1) {
    const moved = priced[index]?.upload.id
    const target = priced[by === -1 ? index - 1 : index + 2]?.upload.id ?? null
    if (moved !== undefined && (by === 1 || index > 0)) onMove(moved, target)
  }

  const items = rows.getVirtualItems()
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin
  const below = rows.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
  return (
    <div ref={listRef} className={`overflow-clip ${cardClass}`}>
      <table
        aria-label="Recordings to order"
        aria-rowcount={priced.length + 1}
        className="w-full table-fixed border-collapse text-left"
      >
        <thead>
          <tr aria-rowindex={1} className="h-9 text-xs text-ink-3 [&>th]:font-medium">
            <th scope="col" className="w-10">
              <span className="grid place-items-center">
                <Checkbox
                  aria-label="Select all"
                  checked={isAllSelected}
                  indeterminate={selected.size > 0 && !isAllSelected}
                  onChange={() => onSelect(isAllSelected ? new Set() : new Set(priced.map(({ upload }) => upload.id)))}
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
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {items.map(({ key, index }) => {
            const row = priced[index]
            return (
              row && (
                <TrayRow
                  key={key}
                  ref={rows.measureElement}
                  row={row}
                  index={index}
                  currency={currency}
                  isSelected={selected.has(row.upload.id)}
                  onToggle={toggle}
                  onRemove={onRemove}
                  onStep={(by) => step(index, by)}
                  onCopyCurl={onCopyCurl}
                />
              )
            )
          })}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
}

import { memo } from 'react'
import { dayHeading } from '../../ui/dates.ts'
import { GridPart } from '../../ui/grid.tsx'
import { FileCard } from './file-card.tsx'
import { FileCells, nameOf, type RowProps } from './file-row.tsx'

/** A row that has become ready flashes once, not again whenever it is scrolled into sight. */
const flashMs = 2_000

/** Where a row stands: pixels from the top of the list, its height, and its number among all lines, from 1. */
type Place = { top: number; height: number; number: number }

type Props = RowProps & Place & { isPhone: boolean }

/** One file of the list, in its place. It holds no functions: the list hears all that happens on its rows. */
export function FileLine({ top, height, number, isPhone, ...props }: Props) {
  const { row, selected, active } = props
  const shape = isPhone ? '' : 'grid [grid-template-columns:var(--columns)]'
  const tone = selected ? 'bg-accent-faint' : 'hover:bg-canvas'
  return (
    <GridPart
      role="row"
      id={rowElementId(row.id)}
      data-id={row.id}
      aria-rowindex={number}
      aria-selected={selected}
      aria-label={nameOf(row)}
      tabIndex={active ? 0 : -1}
      data-ready-now={Date.now() - (row.readySeenAt ?? 0) < flashMs}
      className={`absolute inset-x-0 cursor-default border-t border-line -outline-offset-2 [contain:size_layout_style] data-[ready-now=true]:animate-flash ${shape} ${tone}`}
      style={{ top, height }}
    >
      {isPhone ? (
        <GridPart role="gridcell" className="h-full">
          <FileCard {...props} />
        </GridPart>
      ) : (
        <FileCells {...props} />
      )}
    </GridPart>
  )
}

export const TableRow = memo(FileLine)

export function rowElementId(id: string): string {
  return `file-${id}`
}

/** The file in whose row an element is; null where it is in none. */
export function rowIdAt(element: HTMLElement): string | null {
  return element.closest<HTMLElement>('[data-id]')?.dataset.id ?? null
}

/** The heading over the files of a day. */
export function DayLine({ day, top, height, number }: Place & { day: number }) {
  return (
    <GridPart
      role="row"
      aria-rowindex={number}
      className="absolute inset-x-0 border-t border-line [contain:size_layout_style]"
      style={{ top, height }}
    >
      <GridPart role="gridcell" className="flex h-full items-center bg-canvas px-3 text-xs font-medium text-ink-2">
        {dayHeading(day)}
      </GridPart>
    </GridPart>
  )
}

export const DayRow = memo(DayLine)

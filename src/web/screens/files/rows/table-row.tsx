import { memo } from 'react'
import type { Dates } from '../../../base/ui/dates.ts'
import { GridPart } from '../../../base/ui/grid.tsx'
import type { DayItem } from '../list/list-view.ts'
import { FileCard } from './file-card.tsx'
import { FileCells, type RowProps, rowName } from './file-row.tsx'
import { rowElementId } from './row-element.ts'

/** A row that has become ready flashes once, not each time it is scrolled into view. */
const flashMs = 2_000

/** `top` and `height` in pixels from the top of the list; `number` is its ARIA row index, from 1. */
type Place = { top: number; height: number; number: number }

type Props = RowProps & Place & { isPhone: boolean }

/** One file of the list, at its position. It has no handlers: the list handles the events of all its rows. */
function FileTableRow({ top, height, number, isPhone, ...props }: Props) {
  const { row, sentence, selected, active } = props
  const shape = isPhone ? '' : `grid [grid-template-columns:var(--columns)] ${sentence ? 'pb-7' : ''}`
  const tone = selected ? 'bg-accent-faint' : 'hover:bg-canvas'
  return (
    <GridPart
      role="row"
      id={rowElementId(row.id)}
      data-id={row.id}
      aria-rowindex={number}
      aria-selected={selected}
      aria-label={rowName(row)}
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

export const MemoFileTableRow = memo(FileTableRow)

/** The heading above the files of a day or a month. */
function DayTableRow({ day, isMonth, dates, top, height, number }: Place & DayItem & { dates: Dates }) {
  return (
    <GridPart
      role="row"
      aria-rowindex={number}
      className="absolute inset-x-0 border-t border-line [contain:size_layout_style]"
      style={{ top, height }}
    >
      <GridPart role="gridcell" className="flex h-full items-center bg-canvas px-3 text-xs font-medium text-ink-2">
        {isMonth ? dates.longMonthOf(day) : dates.heading(day)}
      </GridPart>
    </GridPart>
  )
}

export const MemoDayTableRow = memo(DayTableRow)

import { memo } from 'react'
import { Checkbox } from '../../../base/ui/checkbox.tsx'
import { cutClass } from '../../../base/ui/cut-text.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { GridPart } from '../../../base/ui/grid.tsx'
import { OrderWords } from '../columns/order-words.tsx'
import { ProgressCell } from '../columns/progress-cell.tsx'
import { TotalCell } from '../columns/total-cell.tsx'
import { FoundInFile } from '../found/found-sentence.tsx'
import type { DayItem } from '../list/list-view.ts'
import { FileCells, NameAndDate, nameClass, RowButtons, type RowProps, rowName } from './file-row.tsx'
import { rowElementId } from './row-element.ts'

/** A row that has become ready flashes once, not each time it is scrolled into view. */
const flashMs = 2_000

/** `top` and `height` in pixels from the top of the list; `number` is its ARIA row index, from 1. */
type Place = { top: number; height: number; number: number }

type Props = RowProps & Place & { hasCards: boolean }

/** One file of the list, at its position. It has no handlers: the list handles the events of all its rows. */
function FileTableRow({ top, height, number, hasCards, ...props }: Props) {
  const { row, sentence, selected, active } = props
  const shape = hasCards ? '' : `grid [grid-template-columns:var(--columns)] ${sentence ? 'pb-7' : ''}`
  const tone = selected
    ? 'bg-accent-faint forced-colors:outline-2 forced-colors:outline-[Highlight]'
    : 'hover:bg-canvas'
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
      {hasCards ? (
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

function FileCard(props: RowProps) {
  const { row, selected, sentence } = props
  const { record } = row
  return (
    <div className={`grid h-full grid-cols-[2.25rem_1fr] px-1 py-3 ${sentence ? 'pb-10' : ''}`}>
      <div className="grid justify-center pt-0.5">
        <Checkbox aria-label={`Select ${rowName(row)}`} checked={selected} data-action="toggle" onChange={() => {}} />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-between pr-3">
        <div className="flex min-w-0 justify-between gap-3">
          <span className={`${nameClass(row)} gap-x-2`}>
            <NameAndDate {...props} />
          </span>
          {record && (
            <span className="shrink-0 text-right text-sm tabular-nums">
              <span className="block font-medium">
                <TotalCell record={record} isInline />
              </span>
              <span className="block text-xs text-ink-3">{clockText(record.seconds)}</span>
            </span>
          )}
        </div>
        {record && (
          <p className={`${cutClass} pl-6 text-xs text-ink-2`}>
            <OrderWords record={record} />
          </p>
        )}
        {/* Below the name, beside its icon. */}
        <div className="flex items-end justify-between gap-3 pl-6">
          <div className="min-w-0 flex-1">{record && <ProgressCell {...props} record={record} />}</div>
          <RowButtons {...props} />
        </div>
        {sentence && <FoundInFile {...props} sentence={sentence} />}
      </div>
    </div>
  )
}

import type { Environment } from '../../../contract/environment.ts'
import type { TranscriptFormat } from '../../../contract/transcript-formats.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import type { FileRow } from '../../library/library-rows.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cutClass } from '../../ui/cut-text.ts'
import { dayText, momentText } from '../../ui/dates.ts'
import { clockText } from '../../ui/duration.ts'
import { GridPart } from '../../ui/grid.tsx'
import { moneyText } from '../../ui/money.ts'
import { sizeText } from '../../ui/sizes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { ColumnId } from './columns.ts'
import { optionWords, typeText } from './order-text.ts'
import { ProgressCell } from './progress-cell.tsx'
import { expiryText } from './progress-text.ts'

export type RowProps = {
  environment: Environment
  row: FileRow
  columns: readonly ColumnId[]
  selected: boolean
  /** its controls are reached with Tab */
  active: boolean
  deletesWhenReady: boolean
  format: TranscriptFormat
  now: number
}

const kindMarks = { audio: 'mark-audio', video: 'mark-video', unread: 'mark-unread', problem: 'mark-problem' }
const noop = () => {}
const splitButtonClass =
  'inline-flex h-7 items-stretch rounded-md border border-line-strong bg-surface text-sm font-semibold'
const splitPartClass = 'mark inline-flex items-center hover:bg-sunken'

/** The cells of one file in the table. */
export function FileCells(props: RowProps) {
  const { row, selected, active, columns } = props
  const { record } = row
  const name = nameOf(row)
  return (
    <>
      <GridPart role="gridcell" className="grid place-items-center">
        <Checkbox
          aria-label={`Select ${name}`}
          checked={selected}
          tabIndex={active ? 0 : -1}
          data-action="toggle"
          onChange={noop}
        />
      </GridPart>
      <GridPart role="gridcell" className={`${nameClass(row)} content-center gap-x-3 pr-3`}>
        <NameLines {...props} />
      </GridPart>
      {columns.map((id) => (
        <GridPart key={id} role="gridcell" className={cellClass[id]}>
          {record ? <ColumnCell id={id} record={record} {...props} /> : <UnreadCell row={row} id={id} />}
        </GridPart>
      ))}
      <GridPart role="gridcell" className="flex items-center justify-end pr-3">
        <RowButtons {...props} />
      </GridPart>
    </>
  )
}

/** Where a file's page is. */
export function filePagePath(environment: Environment, id: string): string {
  return `/${environment}/files/${encodeURIComponent(id)}`
}

/** What the file is called, also where it has no name or cannot be read. */
export function nameOf({ id, record }: FileRow): string {
  return record?.metadata.name || `File ${id}`
}

/** The look of what holds `NameLines`: the sign of the file's kind at their left. */
export function nameClass({ record, problem }: FileRow): string {
  const kind = problem ? 'problem' : record ? (record.mediaKind ?? 'audio') : 'unread'
  return `mark ${kindMarks[kind]} grid min-w-0 grid-cols-[1rem_minmax(0,1fr)] before:row-span-2 before:mt-[3px]`
}

/** The name, and below it when it was ordered and when it goes. */
export function NameLines({ environment, row, active, now }: Omit<RowProps, 'columns'>) {
  const { record, problem } = row
  if (!record) {
    return (
      <>
        <span className={`${cutClass} font-mono text-xs text-ink-3`}>{row.id}</span>
        {problem ? (
          <span className={`${cutClass} text-xs text-warn`} title={problem}>
            {problem}
          </span>
        ) : (
          <span className="mt-1">
            <span className="sr-only">Not read yet</span>
            <Skeleton className="h-3 w-32" />
          </span>
        )}
      </>
    )
  }
  return (
    <>
      <a
        href={filePagePath(environment, row.id)}
        tabIndex={active ? 0 : -1}
        className={`${cutClass} font-medium underline-offset-2 hover:underline`}
        title={record.metadata.name}
      >
        <bdi>{record.metadata.name || <span className="text-ink-2">Untitled · {row.id}</span>}</bdi>
      </a>
      <span className={`${cutClass} text-xs text-ink-3`}>
        ordered {momentText(record.createdAt, now)}
        {record.expiresAt !== null && Number.isFinite(record.expiresAt) && (
          <span className="text-sandbox"> · {expiryText(record.expiresAt, now)}</span>
        )}
      </span>
    </>
  )
}

const cellClass: Record<ColumnId, string> = {
  seconds: 'flex items-center justify-end pr-3 tabular-nums',
  bytes: 'flex items-center justify-end pr-3 tabular-nums',
  order: 'flex min-w-0 items-center px-3',
  progress: 'grid min-w-0 content-center px-3',
  due: 'flex items-center px-3',
  total: 'flex items-center justify-end pr-3 tabular-nums',
}

function ColumnCell({ id, record, row, now, deletesWhenReady }: RowProps & { id: ColumnId; record: FileRecord }) {
  if (id === 'seconds') return clockText(record.seconds)
  if (id === 'bytes') return sizeText(Number(record.metadata.bytes || Number.NaN))
  if (id === 'due') return dayText(record.dueAt, now)
  if (id === 'total') return moneyText(record.totalCents, record.metadata.currency)
  if (id === 'order') return <OrderWords record={record} />
  return <ProgressCell row={row} record={record} now={now} deletesWhenReady={deletesWhenReady} />
}

export function OrderWords({ record }: { record: FileRecord }) {
  const words = optionWords(record.metadata.options)
  return (
    <span className={cutClass} title={words.join(', ')}>
      {typeText(record)}
      {words.length > 0 && <span className="text-ink-3"> · {words.join(' · ')}</span>}
    </span>
  )
}

function UnreadCell({ row, id }: { row: FileRow; id: ColumnId }) {
  if (row.problem) return id === 'progress' ? <span className="text-ink-3">Unknown</span> : null
  return <Skeleton className={id === 'progress' ? 'h-3 w-24' : 'h-3 w-12'} />
}

/** Download in the last format, and the menu behind it; for a row that could not be read, trying again. */
export function RowButtons({ row, active, format }: RowProps) {
  const { record } = row
  const tabIndex = active ? 0 : -1
  const name = nameOf(row)
  if (row.problem) {
    return (
      <button
        type="button"
        tabIndex={tabIndex}
        data-action="retry"
        className="mark mark-retry inline-flex h-7 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-sm font-semibold hover:bg-sunken"
      >
        Retry
      </button>
    )
  }
  if (!record) return null
  const kind = record.percent < 100 ? 'TXT, the work in progress, of' : `${format.toUpperCase()} of`
  return (
    <span className={splitButtonClass}>
      <button
        type="button"
        tabIndex={tabIndex}
        aria-label={`Download ${kind} ${name}`}
        title={record.percent < 100 ? 'The work-in-progress text' : undefined}
        data-action="download"
        className={`${splitPartClass} mark-download gap-2.5 rounded-l-md px-2.5 ${record.percent < 100 ? 'text-ink-2' : ''}`}
      >
        {record.percent < 100 ? 'TXT' : format.toUpperCase()}
      </button>
      <button
        type="button"
        tabIndex={tabIndex}
        aria-label={`More for ${name}`}
        aria-haspopup="menu"
        data-action="menu"
        className={`${splitPartClass} mark-more min-w-6 rounded-r-md pr-2 pl-1`}
      />
    </span>
  )
}

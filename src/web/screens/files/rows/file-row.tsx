import { captionsPath } from '../../../../contract/common/preloaded-pages.ts'
import type { Environment } from '../../../../contract/interface/environment.ts'
import type { MenuFormat } from '../../../../contract/interface/transcript-formats.ts'
import { Checkbox } from '../../../base/ui/checkbox.tsx'
import { cutClass } from '../../../base/ui/cut-text.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import { GridPart } from '../../../base/ui/grid.tsx'
import { Skeleton } from '../../../base/ui/skeleton.tsx'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'
import { type ColumnId, columns } from '../columns/columns.tsx'
import { expiryText, leavingText } from '../columns/progress-text.ts'
import { FoundInFile } from '../found/found-sentence.tsx'
import type { RowSentence } from '../found/use-found.ts'
import { withTag } from '../list/search-words.ts'
import { DetailLink } from './detail-link.tsx'

export type RowProps = {
  environment: Environment
  row: FileRow
  /** set if the search matched words in it */
  sentence: RowSentence | null
  /** other files with the same recording */
  sameAs: string | null
  /** the name of its project */
  project: string | null
  columns: readonly ColumnId[]
  selected: boolean
  /** its controls are in the tab order */
  active: boolean
  deletesWhenReady: boolean
  /** on this device: downloads include the corrections */
  isCorrected?: boolean
  format: MenuFormat
  now: number
  dates: Dates
}

const kindIcons = { audio: 'icon-audio', video: 'icon-video', unread: 'icon-unread', problem: 'icon-problem' }
/** React requires a handler on a controlled checkbox; the list handles the click. */
const noop = () => {}
const numberClass = 'flex items-center justify-end pr-3 tabular-nums'
const textClass = 'flex min-w-0 items-center px-3'
const splitButtonClass =
  'inline-flex h-7 items-stretch rounded-md border border-line-strong bg-surface text-sm font-semibold'
const splitPartClass = 'icon inline-flex items-center hover:bg-sunken'

/** The table cells of one file. */
export function FileCells(props: RowProps) {
  const { row, selected, active } = props
  const name = rowName(row)
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
        <NameAndDate {...props} />
        {props.sentence && <FoundInFile {...props} sentence={props.sentence} />}
      </GridPart>
      {props.columns.map((id) => (
        <ColumnCell key={id} id={id} {...props} />
      ))}
      <GridPart role="gridcell" className="flex items-center justify-end pr-3">
        <RowButtons {...props} />
      </GridPart>
    </>
  )
}

/** The path of a file's page. */
export function filePagePath(environment: Environment, id: string): string {
  return `/${environment}/files/${encodeURIComponent(id)}`
}

/** The name of the file, or its id if it has none or cannot be read. */
export function rowName({ id, record }: FileRow): string {
  return record?.metadata.name || `File ${id}`
}

/** The class of the element around `NameAndDate`: the icon of the file's kind on the left. */
export function nameClass({ record, problem }: FileRow): string {
  const kind = problem ? 'problem' : record ? (record.mediaKind ?? 'audio') : 'unread'
  return `icon ${kindIcons[kind]} grid min-w-0 grid-cols-[1rem_minmax(0,1fr)] before:row-span-2 before:mt-[3px]`
}

/** The name, and below it when it was ordered and when it will be removed. */
export function NameAndDate({
  environment,
  row,
  sameAs,
  project,
  active,
  isCorrected,
  now,
  dates,
}: Omit<RowProps, 'columns'>) {
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
            <span className="sr-only">Loading</span>
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
        {project !== null && record.project !== null && (
          <DetailLink href={`/${environment}/projects/${encodeURIComponent(record.project)}`} active={active}>
            <bdi>{project}</bdi>
          </DetailLink>
        )}
        {record.mediaKind === 'video' && record.percent >= 100 && (
          <DetailLink href={`${filePagePath(environment, row.id)}/${captionsPath}`} active={active}>
            captions
          </DetailLink>
        )}
        {isCorrected && 'corrected · '}
        {record.review === 'in_review' && 'in review · '}
        {record.review === 'approved' && <span className="text-ok">✓ approved · </span>}
        {record.labels?.archived && 'archived · '}
        {record.labels?.tags.map((tag) => (
          <DetailLink
            key={tag}
            href={`/${environment}/files?${new URLSearchParams({ q: withTag('', tag) })}`}
            active={active}
          >
            <bdi>{tag}</bdi>
          </DetailLink>
        ))}
        {sameAs !== null && `same recording as ${sameAs} · `}
        {record.labels?.held && 'kept forever · '}
        {record.recordingDeleted && 'no recording · '}
        <span className="text-warn">{leavingText(record, now, dates)}</span>
        {record.expiresAt !== null && Number.isFinite(record.expiresAt) && (
          <span className="text-sandbox">{expiryText(record.expiresAt, now)} · </span>
        )}
        ordered {dates.moment(record.createdAt, now)}
      </span>
    </>
  )
}

/** A cell of a column, for a file that is read, not read yet or unreadable. */
function ColumnCell({ id, row, now, dates, deletesWhenReady }: RowProps & { id: ColumnId }) {
  const {
    Cell,
    numeric,
    cellClass = numeric ? numberClass : textClass,
    skeletonClass = 'w-12',
    unknownText,
  } = columns[id]
  return (
    <GridPart role="gridcell" className={cellClass}>
      {row.record ? (
        <Cell row={row} record={row.record} now={now} dates={dates} deletesWhenReady={deletesWhenReady} />
      ) : row.problem ? (
        unknownText && <span className="text-ink-3">{unknownText}</span>
      ) : (
        <Skeleton className={`h-3 ${skeletonClass}`} />
      )}
    </GridPart>
  )
}

/** Download in the last format, the menu of formats beside it, and that of the file; a retry for an unreadable row. */
export function RowButtons({ row, active, isCorrected, format }: RowProps) {
  const { record, problem } = row
  const tabIndex = active ? 0 : -1
  if (problem) return <RetryButton tabIndex={tabIndex} />
  if (!record) return null
  // Unknown progress (NaN) counts as ready: the service decides.
  const isReady = !(record.percent < 100)
  const what = isReady ? format.toUpperCase() : 'TXT'
  const name = rowName(row)
  return (
    <span className="flex items-center gap-1">
      <span className={splitButtonClass}>
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={`Download ${isReady ? what : 'work-in-progress TXT'} of ${name}${isCorrected ? ', corrected' : ''}`}
          title={isCorrected ? 'With your corrections' : isReady ? undefined : 'Work-in-progress text'}
          data-action="download"
          className={`${splitPartClass} icon-download gap-2.5 rounded-l-md px-2.5 ${isReady ? '' : 'text-ink-2'}`}
        >
          {what}
        </button>
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={`Formats of ${name}`}
          aria-haspopup="menu"
          data-action="formats"
          className={`${splitPartClass} icon-more min-w-6 rounded-r-md pr-2 pl-1`}
        />
      </span>
      <button
        type="button"
        tabIndex={tabIndex}
        aria-label={`More for ${name}`}
        aria-haspopup="menu"
        data-action="menu"
        className="icon icon-ellipsis grid size-7 place-items-center rounded-md hover:bg-sunken"
      />
    </span>
  )
}

function RetryButton({ tabIndex }: { tabIndex: number }) {
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      data-action="retry"
      className="icon icon-retry inline-flex h-7 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-sm font-semibold hover:bg-sunken"
    >
      Retry
    </button>
  )
}

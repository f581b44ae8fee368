import type { Environment } from '../../contract/environment.ts'
import { metadataHeader } from '../../contract/metadata-header.ts'
import type { Session } from '../api/client.ts'
import { type FirstAnswers, jsonOf } from '../api/early-answers.ts'
import { type FileRecord, readMetadataHeader, recordOf } from '../api/metadata-reader.ts'
import { retentionMs } from '../api/retention.ts'
import { ShowTabs, toolbarClass } from '../files/bars/show-tabs.tsx'
import { readingText, summaryText } from '../files/bars/summary-text.ts'
import { type ColumnControls, storedColumns } from '../files/columns/column-layout.ts'
import { readListState } from '../files/list/list-state.ts'
import { isDay, type ListView, viewOf } from '../files/list/list-view.ts'
import { recordEarlyPress } from '../files/rows/early-press.ts'
import { cardHeight, fileHeight, gridClass, listOffsets, rowsClass } from '../files/rows/list-layout.ts'
import { TableHead } from '../files/rows/table-head.tsx'
import { DayTableRow, FileTableRow } from '../files/rows/table-row.tsx'
import { FileRows } from '../library/library-rows.ts'
import { emptySnapshot, toSnapshot } from '../library/library-snapshot.ts'
import { type FirstFiles, readFirstPage } from '../library/page-entries.ts'
import { lastFormat } from '../preferences/last-format.ts'
import { applyPreferences, datesNow, preferences } from '../preferences/preferences.ts'
import { buttonClass } from '../ui/button.tsx'
import { GridPart } from '../ui/grid.tsx'
import { phoneQuery } from '../ui/media-queries.ts'
import { PageHeader, pageClass } from '../ui/page-header.tsx'
import { pillClass } from '../ui/pill.tsx'
import type { RowOffsets } from '../ui/virtual-rows/row-offsets.ts'
import { drawOnce } from './draw-once.ts'
import { FirstFrame } from './first-frame.tsx'
import { sightId } from './standing-sight.ts'

/** Draws the list where the page is still empty; files whose metadata cannot be read look like unread ones. */
export async function drawFirstSight(session: Session, answers: FirstAnswers): Promise<void> {
  const first = await read(session, answers)
  const root = document.getElementById('root')
  // Another order, or a part of the list, is left to the page.
  if (!root || root.firstChild || first.ids.length === 0 || window.location.search !== '') return
  applyPreferences()
  const drawn = drawOnce(<FirstSight session={session} first={first} now={Date.now()} />)
  // Tab skips what is replaced in a moment.
  for (const control of drawn.querySelectorAll<HTMLElement>('a, button, input, [tabindex]')) control.tabIndex = -1
  recordEarlyPress(drawn.firstElementChild as HTMLElement)
  root.append(drawn)
}

/** The newest files, in the service's order, and the records of those that are read. */
type First = Pick<FirstFiles, 'ids' | 'records' | 'total'> & { offersAccount: boolean }

async function read({ environment }: Session, answers: FirstAnswers): Promise<First> {
  if (answers.kind === 'page') {
    return { ...readFirstPage(await jsonOf(await answers.page), environment), offersAccount: true }
  }
  const { ids } = answers
  const heads = await Promise.all(answers.heads)
  return {
    ids,
    total: ids.length,
    offersAccount: false,
    records: heads.flatMap((head, index) => recordsOf(head, ids[index] ?? '', environment)),
  }
}

function recordsOf(head: Response, id: string, environment: Environment): FileRecord[] {
  if (!head.ok) return []
  try {
    const metadata = readMetadataHeader(head.headers.get(metadataHeader))
    return [recordOf({ id, metadata }, retentionMs(environment))]
  } catch {
    return []
  }
}

type Props = { session: Session; first: First; now: number }

/**
 * The list of files as `drawOnce` draws it at first: what is read so far, in the places and with the components of the page
 * itself, and outlines of the rest. Its links work; it is hidden from screen readers, as it is replaced at once.
 */
function FirstSight({ session, first, now }: Props) {
  const isPhone = window.matchMedia(phoneQuery).matches
  const rowHeight = isPhone ? cardHeight : fileHeight(preferences.get().density)
  const rows = new FileRows()
  // Rows that are in view or read, and one more so that there are others: rows of all would take longer than drawing.
  rows.list(first.ids.slice(0, 1 + Math.max(Math.ceil(window.innerHeight / rowHeight), first.records.length)))
  rows.put(first.records)
  const snapshot = toSnapshot(rows.all(), { ...emptySnapshot, total: first.total })
  const view = viewOf(snapshot, readListState(new URLSearchParams()), now)
  const offsets = listOffsets(view.items.length, view.days, rowHeight)
  const height = offsets.height + (first.total - rows.size) * rowHeight
  const reading = readingText(snapshot)
  const subtitle = [summaryText(snapshot, view), reading].filter((part) => part !== null).join(' · ')
  return (
    <div id={sightId} aria-hidden>
      <FirstFrame session={session} fileCount={first.total} offersAccount={first.offersAccount}>
        <div className={pageClass}>
          <PageHeader title="Files" subtitle={subtitle} actions={<ActionShapes environment={session.environment} />} />
          <div className={toolbarClass}>
            <ShowTabs
              show="all"
              counts={{ ...view.counts, all: first.total }}
              reading={reading !== null}
              onChange={() => {}}
            />
            <ToolShapes isPhone={isPhone} />
          </div>
          <FirstRows view={view} offsets={offsets} height={height} isPhone={isPhone} session={session} now={now} />
        </div>
      </FirstFrame>
    </div>
  )
}

function ActionShapes({ environment }: { environment: Environment }) {
  return (
    <>
      <span className="flex h-[34px] w-72 items-center rounded-md border border-edge bg-surface pl-9 text-ink-3 phone:w-full">
        Search names, speakers
      </span>
      <a href={`/${environment}/order`} className={buttonClass('primary', 'md', 'phone:hidden')}>
        <span className="size-4" /> New order
      </a>
    </>
  )
}

function ToolShapes({ isPhone }: { isPhone: boolean }) {
  return (
    <>
      <span className={`${pillClass('plain')} min-h-6`}>
        <span className="size-3.5" /> Filter
      </span>
      <span className="ml-auto flex h-8 items-center gap-2 px-1.5 text-ink-2">
        Sort: newest
        <span className="size-4" />
      </span>
      {!isPhone && <span className="-ml-1 size-8" />}
    </>
  )
}

type RowsProps = {
  view: ListView
  offsets: RowOffsets
  height: number
  isPhone: boolean
  session: Session
  now: number
}

function FirstRows({ view, offsets, height, isPhone, session, now }: RowsProps) {
  const columns = storedColumns()
  const dates = datesNow()
  const { end } = offsets.steadyAround(0, window.innerHeight, 0)
  const headRows = isPhone ? 0 : 1
  return (
    <div className={gridClass} style={{ '--columns': columns.template } as React.CSSProperties}>
      {!isPhone && <FirstHead columns={columns} rowCount={view.rows.length} />}
      <GridPart role="rowgroup" className={rowsClass(isPhone)} style={{ height }}>
        {view.items.slice(0, end).map((item, index) => {
          const place = { top: offsets.top(index), height: offsets.heightOf(index), number: index + 1 + headRows }
          if (isDay(item)) return <DayTableRow key={`day ${item.day}`} day={item.day} dates={dates} {...place} />
          return (
            <FileTableRow
              key={item.id}
              {...place}
              environment={session.environment}
              row={item}
              isPhone={isPhone}
              columns={columns.visible}
              selected={false}
              active={false}
              deletesWhenReady={item.record?.deleteWhenReady === true}
              format={lastFormat()}
              now={now}
              dates={dates}
            />
          )
        })}
      </GridPart>
    </div>
  )
}

function FirstHead({ columns, rowCount }: { columns: ColumnControls; rowCount: number }) {
  return (
    <TableHead
      columns={columns}
      sort="created"
      direction="desc"
      onSort={() => {}}
      rowCount={rowCount}
      selectedCount={0}
      onSelectAll={() => {}}
    />
  )
}

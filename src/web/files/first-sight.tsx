import { metadataHeader } from '../../contract/metadata-header.ts'
import { FileRows } from '../api/library-rows.ts'
import { emptySnapshot, type LibrarySnapshot, toSnapshot } from '../api/library-snapshot.ts'
import { type FileRecord, readMetadataHeader, recordOf } from '../api/metadata-reader.ts'
import { retentionMs } from '../api/retention.ts'
import type { Session } from '../session/stored-session.ts'
import {
  contentClass,
  frameClass,
  mainClass,
  phoneQuery,
  railClass,
  railQuery,
  sidebarClass,
  topBarClass,
} from '../shell/frame-look.ts'
import { lastFormat } from '../shell/last-format.ts'
import { applyPreferences } from '../shell/preferences.ts'
import { SandboxBand } from '../shell/sandbox-band.tsx'
import { buttonClass } from '../ui/button.tsx'
import { drawOnce } from '../ui/draw-once.ts'
import { GridPart } from '../ui/grid.tsx'
import { PageHeader, pageClass } from '../ui/page-header.tsx'
import { pillClass } from '../ui/pill.tsx'
import { columnsNow } from './columns.ts'
import { keepEarlyPress } from './early-press.ts'
import { LinePlaces } from './line-places.ts'
import { cardHeight, dayHeight, fileHeight, gridClass, rowsClass } from './list-look.ts'
import { readListState } from './list-state.ts'
import { isDay, type ListView, viewOf } from './list-view.ts'
import { ShowTabs, toolbarClass } from './show-tabs.tsx'
import { readingText, summaryText } from './summary-text.ts'
import { TableHead } from './table-head.tsx'
import { DayLine, FileLine } from './table-row.tsx'

/**
 * Draws the list where nothing stands yet: with the metadata of its first files, of which those that cannot be read stand
 * as those that are not.
 * @param heads the answers of the first ids
 */
export function drawFirstSight(session: Session, ids: readonly string[], heads: readonly Response[]): void {
  const root = document.getElementById('root')
  // Another order or a part of the list is the page's own matter.
  if (!root || root.firstChild || ids.length === 0 || window.location.search !== '') return
  const rows = new FileRows()
  rows.list(ids)
  rows.take(heads.flatMap((head, index) => recordsOf(head, ids[index] ?? '', session)))
  const snapshot = toSnapshot(rows.all(), { ...emptySnapshot, total: ids.length })
  applyPreferences()
  const drawn = drawOnce(<FirstSight session={session} snapshot={snapshot} now={Date.now()} />)
  keepEarlyPress(drawn.firstElementChild as HTMLElement)
  root.append(drawn)
}

function recordsOf(head: Response, id: string, { environment }: Session): FileRecord[] {
  if (!head.ok) return []
  try {
    const metadata = readMetadataHeader(head.headers.get(metadataHeader))
    return [recordOf({ id, metadata }, retentionMs(environment))]
  } catch {
    return []
  }
}

type Props = { session: Session; snapshot: LibrarySnapshot; now: number }

/**
 * The list of files as it is first seen, for `drawOnce`: what is read so far in the place and the look that it has on the
 * page, from the page's own parts, and the shape of what is not here yet. Its links work; screen readers are spared what
 * is replaced at once.
 */
function FirstSight({ session, snapshot, now }: Props) {
  const isPhone = window.matchMedia(phoneQuery).matches
  const isRail = window.matchMedia(railQuery).matches
  const view = viewOf(snapshot, readListState(new URLSearchParams()), now)
  const subtitle = [summaryText(snapshot, view), readingText(snapshot)].filter((part) => part !== null).join(' · ')
  return (
    <div aria-hidden className={frameClass}>
      <div className={isPhone ? topBarClass : isRail ? railClass : sidebarClass} />
      <div className={contentClass}>
        {session.environment === 'sandbox' && <SandboxBand />}
        <div className={mainClass}>
          <div className={pageClass}>
            <PageHeader title="Files" subtitle={subtitle} actions={<ActionShapes />} />
            <div inert className={toolbarClass}>
              <ShowTabs show="all" counts={view.counts} reading={!snapshot.complete} onChange={() => {}} />
              <ToolShapes isPhone={isPhone} />
            </div>
            <FirstRows view={view} isPhone={isPhone} session={session} now={now} />
          </div>
        </div>
      </div>
    </div>
  )
}

function ActionShapes() {
  return (
    <>
      <span className="h-[34px] w-72 rounded-md border border-edge bg-surface phone:w-full" />
      <span className={buttonClass('primary', 'md', 'phone:hidden')}>
        <span className="size-4" /> New order
      </span>
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

type RowsProps = { view: ListView; isPhone: boolean; session: Session; now: number }

/** As many lines as the window shows. */
function FirstRows({ view, isPhone, session, now }: RowsProps) {
  const columns = columnsNow()
  const height = isPhone ? cardHeight : fileHeight()
  const places = new LinePlaces(view.lines.length, view.days, height, dayHeight)
  const { end } = places.around(0, window.innerHeight, 0)
  return (
    <div className={gridClass} style={{ '--columns': columns.template } as React.CSSProperties}>
      {!isPhone && (
        <div inert>
          <TableHead
            columns={columns}
            sort="created"
            direction="desc"
            onSort={() => {}}
            rowCount={view.rows.length}
            selectedCount={0}
            onSelectAll={() => {}}
          />
        </div>
      )}
      <GridPart role="rowgroup" className={rowsClass(isPhone)} style={{ height: places.height }}>
        {view.lines.slice(0, end).map((line, index) => {
          const place = { top: places.top(index), height: places.heightOf(index), number: index + 1 }
          if (isDay(line)) return <DayLine key={`day ${line.day}`} day={line.day} {...place} />
          return (
            <FileLine
              key={line.id}
              {...place}
              environment={session.environment}
              row={line}
              isPhone={isPhone}
              columns={columns.visible}
              selected={false}
              active={false}
              deletesWhenReady={line.record?.deleteWhenReady === true}
              format={lastFormat()}
              now={now}
            />
          )
        })}
      </GridPart>
    </div>
  )
}

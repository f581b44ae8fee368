import { useQuery } from '@tanstack/react-query'
import { ArrowDownToLine, ArrowUpFromLine, ReceiptText } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { Link } from 'react-router'
import { account, fileOffers } from '../../base/api/account.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useRight } from '../../base/api/use-right.ts'
import { Button, buttonClass } from '../../base/ui/button.tsx'
import { Later, later, laterPart } from '../../base/ui/later.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { SkipLink } from '../../base/ui/skip-link.tsx'
import { cardsQuery, useMedia } from '../../base/ui/use-media.ts'
import { collectTags } from '../../signed-in/file-actions/tags.ts'
import { useActs } from '../../signed-in/file-actions/use-acts.tsx'
import type { FileRow } from '../../signed-in/library/library-rows.ts'
import { type LibrarySnapshot, toSnapshot } from '../../signed-in/library/library-snapshot.ts'
import { getLive } from '../../signed-in/library/live.ts'
import { useLibrary } from '../../signed-in/library/use-live.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { FirstUse } from './bars/first-use.tsx'
import { ReadingState } from './bars/list-notices.tsx'
import { NoMatch } from './bars/no-match.tsx'
import { SearchField } from './bars/search-field.tsx'
import { summaryText } from './bars/summary-text.ts'
import { Toolbar } from './bars/toolbar.tsx'
import { readColumns, useColumns } from './columns/column-layout.ts'
import type { DownloadArchive } from './download/download-all.tsx'
import { features } from './features.tsx'
import { useFound } from './found/use-found.ts'
import { FilesList, type ListProps } from './list/files-list.tsx'
import { hasMoreFilters, type ListState, writeListState } from './list/list-state.ts'
import { buildView } from './list/list-view.ts'
import { completeTag, withState } from './list/search-words.ts'
import { useNow } from './list/use-now.ts'
import { useSelection } from './list/use-selection.ts'
import type { Act } from './list-feature.ts'
import { useProjectNames } from './projects/use-project-names.ts'
import { ListSkeleton } from './rows/list-skeleton.tsx'
import { focusRow } from './rows/row-element.ts'
import { type OpenView, useListState } from './views/use-open-view.ts'

const ViewLine = laterPart(async () => (await import('./views/view-line.tsx')).ViewLine)
const SelectionBar = laterPart(async () => (await import('./bars/selection-bar.tsx')).SelectionBar)
const actions = later(() => import('./actions.tsx'))

/** Files (`/:env/files`): every recording of the account, its progress, and what can be done with it. */
export function Component() {
  return <FilesPage />
}

/** A project or a batch, whose files the page shows instead of all. */
type ShownPart = {
  /** the project's name; absent for a batch */
  name?: string
  /** archived files are listed with the others, as they are part of a batch */
  listsArchived?: boolean
  /** how it is listed at first; must be stable */
  usual?: ListState
  /** whether a file is part of it; must be stable */
  has: (record: FileRecord) => boolean
  /** content above the list, given a function that downloads all of it as a named archive */
  head: (snapshot: LibrarySnapshot, download: DownloadArchive) => ReactNode
  /** content shown instead while it has no files */
  empty: ReactNode
}

/** The list and the actions on its files: those of the whole account, or of a part. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the page passes its parts what they show
export function FilesPage({ of }: { of?: ShownPart }) {
  const { library, snapshot: all } = useLibrary()
  const has = of?.has
  const snapshot = useMemo(() => (has === undefined ? all : narrow(all, has)), [all, has])
  const { environment } = useSession()
  const now = useNow()
  const { state, change, openView } = useListState(of?.usual)
  // Typing stays responsive in long lists: the rows lag a moment behind.
  const deferred = useDeferredValue(state)
  const { data: overview } = useQuery(account.overview(useSession()))
  const offers = fileOffers(overview)
  const searches = overview === undefined ? undefined : offers?.search === true
  const found = useFound(deferred.search, searches, of?.name)
  const names = useProjectNames(offers?.projects === true)
  const listsArchived = of?.listsArchived
  const view = useMemo(
    () => buildView(snapshot, deferred, now, found.files, names, listsArchived),
    [snapshot, deferred, now, found.files, names, listsArchived],
  )
  const selection = useSelection(view.rows)
  const { act: start, dialog } = useActs(library, offers)
  const act: Act = (name, records, archive) =>
    void actions.load().then(({ listActions }) => start(listActions[name], records, archive))
  const selected = collectRecords(selection.rows)
  const isEmpty = snapshot.total === 0 && snapshot.failure === null
  const listed = { snapshot, offers, now, isPart: of !== undefined, search: deferred.search, found }
  return (
    <div className={pageClass}>
      {view.rows.length > 0 && <SkipToFiles />}
      {of ? (
        of.head(snapshot, (records, archive) => act('download', records, archive))
      ) : (
        <PageHeader
          title={openView.view ? <bdi>{openView.view.name}</bdi> : 'Files'}
          subtitle={<Summary view={view} snapshot={snapshot} isFiltered={!isUnfiltered(deferred)} />}
          actions={
            !isEmpty && (
              <HeaderActions
                search={state.search}
                searches={searches === true}
                onSearch={(search) => change({ search })}
              />
            )
          }
        />
      )}
      {features.map(({ name, Notice }) => (
        <Notice key={name} {...listed} />
      ))}
      {isEmpty ? (
        of ? (
          of.empty
        ) : (
          <FirstUse />
        )
      ) : (
        <>
          <ListArea
            library={library}
            snapshot={snapshot}
            view={view}
            found={found.files}
            isSearching={found.isSearching}
            projects={of?.name === undefined ? names : noNames}
            unlisted={state === deferred && isUnfiltered(state) ? (snapshot.total ?? 0) - snapshot.rows.length : 0}
            state={state}
            now={now}
            selection={selection}
            onChange={change}
            openView={openView}
            hasViews={offers?.settings === true}
            offers={offers}
            onAct={act}
          />
          {view.read > 0 && (
            <ListActions
              sandbox={environment === 'sandbox'}
              count={view.read}
              onReceipts={() => act('receipts', collectRecords(view.rows))}
              onDownload={() => act('download', collectRecords(view.rows))}
            />
          )}
        </>
      )}
      <Later wanted={selected.length > 0}>
        {selected.length > 0 && (
          <SelectionBar
            records={selected}
            count={selection.ids.size}
            offers={offers}
            onAct={act}
            onClear={selection.clear}
          />
        )}
      </Later>
      {dialog}
    </div>
  )
}

const noNames: ReadonlyMap<string, string> = new Map()

/** The library's snapshot, restricted to one part. */
function narrow(all: LibrarySnapshot, has: ShownPart['has']): LibrarySnapshot {
  const rows = all.rows.filter(({ record }) => record !== null && has(record))
  const isRead = all.complete || all.rows.length > 0
  return toSnapshot(rows, { ...all, awaited: false, total: isRead ? rows.length : null })
}

type AreaProps = Omit<ListProps, 'columns' | 'hasCards'> & {
  snapshot: LibrarySnapshot
  isSearching: boolean
  openView: OpenView
  hasViews: boolean
}

/** The toolbar, and the list or its replacement. */
function ListArea(props: AreaProps) {
  const { snapshot, view, state, onChange, openView } = props
  const hasCards = useMedia(cardsQuery)
  const columns = useColumns(state.columns, (named) => onChange({ columns: named }))
  const isLoading = snapshot.rows.length === 0 || openView.isLoading
  const views = {
    openView,
    query: writeListState({ ...state, columns: columns.text }).toString(),
    unknownColumns: readColumns(state.columns).unknown,
  }
  return (
    <>
      <Later wanted={openView.id !== null}>{openView.id !== null && <ViewLine {...views} />}</Later>
      <Toolbar
        state={state}
        counts={isLoading ? null : view.counts}
        reading={snapshot.total !== null && snapshot.read < snapshot.total}
        columns={columns}
        views={props.hasViews ? views : null}
        hasCards={hasCards}
        onChange={onChange}
      />
      {isLoading ? (
        <ListSkeleton />
      ) : view.rows.length === 0 ? (
        <NoMatch
          library={props.library}
          search={state.search}
          complete={snapshot.read >= (snapshot.total ?? 0) && !props.isSearching}
          isFiltered={!isUnfiltered(state)}
          onClear={() => openView.open(null)}
          onArchived={() => onChange({ search: withState('', 'archived', true) })}
        />
      ) : (
        <FilesList {...props} columns={columns} hasCards={hasCards} />
      )}
    </>
  )
}

/** Headings, filters and columns are two dozen stops of the Tab key. */
function SkipToFiles() {
  const skip = (event: React.MouseEvent) => {
    event.preventDefault()
    focusRow()
  }
  return (
    <SkipLink href="#files" onClick={skip}>
      Skip to the files
    </SkipLink>
  )
}

type HeaderProps = { search: string; searches: boolean; onSearch: (text: string) => void }

/** @param searches the service offers full-text search */
function HeaderActions({ search, searches, onSearch }: HeaderProps) {
  const session = useSession()
  const mayOrder = useRight(session, 'order')
  const complete = (typed: string) => completeTag(typed, () => collectTags(getLive(session).library))
  return (
    <>
      <SearchField value={search} hasWords={searches} complete={complete} onChange={onSearch} />
      {mayOrder && (
        <Link to={`/${session.environment}/order`} className={buttonClass('primary', 'md', 'phone:hidden')}>
          <ArrowUpFromLine aria-hidden /> New order
        </Link>
      )}
    </>
  )
}

function collectRecords(rows: readonly FileRow[]): FileRecord[] {
  return rows.flatMap(({ record }) => (record ? [record] : []))
}

function isUnfiltered(state: ListState): boolean {
  return state.search === '' && state.show === 'all' && !hasMoreFilters(state)
}

/** How many files are listed, and how many of them are read. */
function Summary({ view, snapshot, isFiltered }: Pick<AreaProps, 'view' | 'snapshot'> & { isFiltered: boolean }) {
  return (
    <>
      {summaryText(snapshot, view, isFiltered)}
      <ReadingState snapshot={snapshot} />
    </>
  )
}

type ActionProps = { sandbox: boolean; count: number; onReceipts: () => void; onDownload: () => void }

/** Actions on all files shown. The sandbox removes files automatically, so it offers to download them. */
function ListActions({ sandbox, count, onReceipts, onDownload }: ActionProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button variant="quiet" size="sm" onClick={onReceipts}>
        <ReceiptText aria-hidden />
        <span>
          Receipts of {formatCount(count, 'file')} as CSV<span className="phone:sr-only">, without deleted ones</span>
        </span>
      </Button>
      {sandbox && (
        <Button size="sm" onClick={onDownload}>
          <ArrowDownToLine aria-hidden /> Download all before they are removed
        </Button>
      )}
    </div>
  )
}

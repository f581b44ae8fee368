import { useQuery } from '@tanstack/react-query'
import { ArrowDownToLine, ArrowUpFromLine, ReceiptText } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { account } from '../api/account.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import type { FileRow } from '../library/library-rows.ts'
import { useLibrary } from '../library/use-live.ts'
import { useSession } from '../session/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader, pageClass } from '../ui/page-header.tsx'
import { saveFile } from '../ui/save-file.ts'
import { countOf } from '../ui/sizes.ts'
import { useIsPhone } from '../ui/use-media.ts'
import { FirstUse } from './bars/first-use.tsx'
import { ListNotices, ReadingState } from './bars/list-notices.tsx'
import { SearchField } from './bars/search-field.tsx'
import { SelectionBar } from './bars/selection-bar.tsx'
import { summaryText } from './bars/summary-text.ts'
import { Toolbar } from './bars/toolbar.tsx'
import { useColumns } from './columns/column-layout.ts'
import { DeleteDialog } from './delete/delete-dialog.tsx'
import { ZipDialog } from './download/zip-dialog.tsx'
import { FilesList } from './list/files-list.tsx'
import { type ListState, readListState, writeListState } from './list/list-state.ts'
import { type ListView, viewOf } from './list/list-view.ts'
import { useNow } from './list/use-now.ts'
import { useSelection } from './list/use-selection.ts'
import { receiptsCsv } from './receipt/receipts-csv.ts'
import { ListSkeleton } from './rows/list-skeleton.tsx'

type Asked = { kind: 'zip' | 'delete'; records: FileRecord[] } | null

/**
 * Files (`/:env/files`): every recording of the account, where it stands, and what can be done with it. Long because the
 * page is its parts put together; each part is a file of its own.
 */
export function Component() {
  const { library, snapshot } = useLibrary()
  const session = useSession()
  const now = useNow()
  const isPhone = useIsPhone()
  const columns = useColumns()
  const [search, setSearch] = useSearchParams()
  const state = useMemo(() => readListState(search), [search])
  // Typing stays quick in long lists: the rows may follow a moment later.
  const deferred = useDeferredValue(state)
  const view = useMemo(() => viewOf(snapshot, deferred, now), [snapshot, deferred, now])
  const selection = useSelection(view.rows)
  const [asked, setAsked] = useState<Asked>(null)
  const { data: overview } = useQuery(account.overview(session))

  const change = (changed: Partial<ListState>) =>
    setSearch(writeListState({ ...state, ...changed }), { replace: true, preventScrollReset: true })
  const chosen = recordsOf(selection.rows)
  const isEmpty = snapshot.total === 0 && snapshot.failure === null
  const isLoading = snapshot.rows.length === 0 && !isEmpty

  return (
    <div className={pageClass}>
      <PageHeader
        title="Files"
        subtitle={<Summary view={view} snapshot={snapshot} />}
        actions={
          <>
            <SearchField value={state.search} onChange={(text) => change({ search: text })} />
            <Link to={`/${session.environment}/order`} className={buttonClass('primary', 'md', 'phone:hidden')}>
              <ArrowUpFromLine aria-hidden /> New order
            </Link>
          </>
        }
      />
      <ListNotices snapshot={snapshot} />
      {isEmpty ? (
        <FirstUse />
      ) : (
        <>
          <Toolbar
            state={state}
            counts={isLoading ? null : view.counts}
            reading={snapshot.total !== null && snapshot.read < snapshot.total}
            columns={columns}
            isPhone={isPhone}
            onChange={change}
          />
          {isLoading ? (
            <ListSkeleton />
          ) : view.rows.length === 0 ? (
            <NoMatch
              complete={snapshot.read >= (snapshot.total ?? 0)}
              onClear={() => setSearch({}, { replace: true })}
            />
          ) : (
            <FilesList
              library={library}
              view={view}
              total={state === deferred && isUnfiltered(state) ? (snapshot.total ?? 0) : 0}
              state={state}
              columns={columns}
              isPhone={isPhone}
              now={now}
              selection={selection}
              onChange={change}
              onDelete={(records) => setAsked({ kind: 'delete', records })}
            />
          )}
          {view.read > 0 && (
            <ListActions
              sandbox={session.environment === 'sandbox'}
              count={view.read}
              onReceipts={() => saveReceipts(recordsOf(view.rows))}
              onDownload={() => setAsked({ kind: 'zip', records: recordsOf(view.rows) })}
            />
          )}
        </>
      )}
      <SelectionBar
        count={selection.ids.size}
        records={chosen}
        onDownload={() => setAsked({ kind: 'zip', records: chosen })}
        onReceipts={() => saveReceipts(chosen)}
        onDelete={() => setAsked({ kind: 'delete', records: chosen })}
        onClear={selection.clear}
      />
      {asked?.kind === 'zip' && <ZipDialog records={asked.records} onClose={() => setAsked(null)} />}
      {asked?.kind === 'delete' && (
        <DeleteDialog
          records={asked.records}
          library={library}
          keepsWishes={overview?.features.delete_when_ready ?? false}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}

function recordsOf(rows: readonly FileRow[]): FileRecord[] {
  return rows.flatMap(({ record }) => (record ? [record] : []))
}

function saveReceipts(records: readonly FileRecord[]): void {
  saveFile(new Blob([receiptsCsv(records)], { type: 'text/csv;charset=utf-8' }), 'receipts.csv')
}

function isUnfiltered({ search, show, type, from, to }: ListState): boolean {
  return search === '' && show === 'all' && type === 'any' && from === '' && to === ''
}

type SummaryProps = { view: ListView; snapshot: Parameters<typeof viewOf>[0] }

/** What the list holds, and how much of it is read. */
function Summary({ view, snapshot }: SummaryProps) {
  return (
    <>
      {summaryText(snapshot, view)}
      <ReadingState snapshot={snapshot} />
    </>
  )
}

function NoMatch({ complete, onClear }: { complete: boolean; onClear: () => void }) {
  return (
    <EmptyState
      title={complete ? 'No file matches' : 'No file matches so far'}
      actions={<Button onClick={onClear}>Show all files</Button>}
    >
      {complete ? 'Change the search or the filters.' : 'The rest of the list is still being read.'}
    </EmptyState>
  )
}

type ActionProps = { sandbox: boolean; count: number; onReceipts: () => void; onDownload: () => void }

/** What can be done with all files shown. In the sandbox they go by themselves, so taking them away is offered. */
function ListActions({ sandbox, count, onReceipts, onDownload }: ActionProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button variant="quiet" size="sm" onClick={onReceipts}>
        <ReceiptText aria-hidden /> Receipts of {countOf(count, 'file')} as CSV
      </Button>
      {sandbox && (
        <Button size="sm" onClick={onDownload}>
          <ArrowDownToLine aria-hidden /> Download all before it goes
        </Button>
      )}
    </div>
  )
}

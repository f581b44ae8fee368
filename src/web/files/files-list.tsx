import { useCallback, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FileLibrary } from '../api/library.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { useSession } from '../session/session.ts'
import { useKeptWishes, wishDeleteWhenReady } from '../shell/delete-when-ready.ts'
import { setLastFormat, useLastFormat } from '../shell/last-format.ts'
import { showToast } from '../ui/toast.tsx'
import type { ColumnControls } from './columns.ts'
import { downloadTranscript } from './download.ts'
import type { RowActions } from './file-row.tsx'
import { FilesTable } from './files-table.tsx'
import type { ListState } from './list-state.ts'
import type { ListView } from './list-view.ts'
import { RowMenu } from './row-menu.tsx'
import type { Movement } from './table-keys.ts'
import type { Selection } from './use-selection.ts'

type Props = {
  library: FileLibrary
  view: ListView
  total: number
  state: ListState
  columns: ColumnControls
  isPhone: boolean
  now: number
  selection: Selection
  onChange: (change: Partial<ListState>) => void
  onDelete: (records: FileRecord[]) => void
}

/** The table with what its rows do: open, select, download, delete. */
export function FilesList(props: Props) {
  const { library, view, selection, onDelete, now } = props
  const session = useSession()
  const navigate = useNavigate()
  const format = useLastFormat()
  const keptWishes = useKeptWishes(session)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ id: string; anchor: HTMLElement } | null>(null)
  const menuRecord = menu ? (library.row(menu.id)?.record ?? null) : null
  const hrefOf = (id: string) => `/${session.environment}/files/${encodeURIComponent(id)}`

  // Rows are given the same functions at every render; these reach what is current through the ref.
  const latest = useRef({ selection, format })
  latest.current = { selection, format }
  const actions = useMemo<RowActions>(
    () => ({
      toggle: (id, range) => latest.current.selection.toggle(id, range),
      download: (record) =>
        void downloadTranscript(session, record, record.percent < 100 ? 'txt' : latest.current.format),
      openMenu: (id, anchor) => setMenu({ id, anchor }),
      retry: (id) => library.reread([id]),
    }),
    [session, library],
  )
  const onVisible = useCallback((ids: string[]) => library.want(ids), [library])

  function obey(command: Exclude<Movement, { kind: 'move' }>, id: string) {
    if (command.kind === 'open') void navigate(hrefOf(id))
    else if (command.kind === 'select') selection.toggle(id, command.range)
    else if (command.kind === 'select-all') selection.all(true)
    else if (command.kind === 'clear') selection.clear()
    else {
      const rows = selection.ids.has(id) ? selection.rows : view.rows.filter((row) => row.id === id)
      const records = rows.flatMap(({ record }) => (record ? [record] : []))
      if (records.length > 0) onDelete(records)
    }
  }

  async function keepAfterAll(record: FileRecord) {
    try {
      await wishDeleteWhenReady(session, library, record, false, record.deleteWhenReady)
    } catch (error) {
      showToast({ tone: 'bad', title: 'The wish could not be taken back', detail: (error as Error).message })
    }
  }

  const deletesWhenReady = (record: FileRecord | null) =>
    record !== null && (record.deleteWhenReady || keptWishes.has(record.id))
  return (
    <>
      <FilesTable
        {...props}
        sort={props.state.sort}
        direction={props.state.direction}
        onSort={(sort, direction) => props.onChange({ sort, direction })}
        selection={selection.ids}
        onSelectAll={selection.all}
        activeId={activeId}
        onActivate={setActiveId}
        onCommand={obey}
        onVisible={onVisible}
        rowPropsOf={({ row }) => ({
          row,
          href: hrefOf(row.id),
          selected: selection.ids.has(row.id),
          deletesWhenReady: deletesWhenReady(row.record),
          format,
          now,
          actions,
        })}
      />
      <RowMenu
        anchor={menu?.anchor ?? null}
        record={menuRecord}
        lastFormat={format}
        deletesWhenReady={deletesWhenReady(menuRecord)}
        onClose={() => setMenu(null)}
        onDownload={(chosen) => {
          if (menuRecord === null) return
          if (menuRecord.percent === 100) setLastFormat(chosen)
          void downloadTranscript(session, menuRecord, chosen)
        }}
        onReceipt={() => menuRecord && void navigate(`${hrefOf(menuRecord.id)}/receipt`)}
        onDelete={() => menuRecord && onDelete([menuRecord])}
        onKeepAfterAll={() => menuRecord && void keepAfterAll(menuRecord)}
      />
    </>
  )
}

import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { useKeptWishes, wishDeleteWhenReady } from '../../library/delete-when-ready.ts'
import { downloadTranscript } from '../../library/download-transcript.ts'
import type { FileLibrary } from '../../library/library.ts'
import { setLastFormat, useLastFormat } from '../../preferences/last-format.ts'
import { useSession } from '../../session/session.ts'
import { showToast } from '../../ui/toast.tsx'
import type { ColumnControls } from '../columns/column-layout.ts'
import { filePagePath } from '../rows/file-row.tsx'
import type { RowAction } from '../rows/row-element.ts'
import { RowMenu } from '../rows/row-menu.tsx'
import { FilesTable } from './files-table.tsx'
import type { ListState } from './list-state.ts'
import type { ListView } from './list-view.ts'
import type { RowCommand } from './table-events.ts'
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
  const { library, view, selection, onDelete } = props
  const session = useSession()
  const navigate = useNavigate()
  const format = useLastFormat()
  const keptWishes = useKeptWishes(session)
  const [activeId, setActiveId] = useState<string | null>(null)
  // The menu is built when it is first asked for, and then stays, closed.
  const [menu, setMenu] = useState<{ id: string; anchor: HTMLElement; open: boolean } | null>(null)
  const menuRecord = menu ? (library.row(menu.id)?.record ?? null) : null
  const hrefOf = (id: string) => filePagePath(session.environment, id)
  const onVisible = useCallback((ids: string[]) => library.want(ids), [library])

  function onCommand(command: RowCommand, id: string) {
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

  function onAction(action: RowAction, id: string, control: HTMLElement, range: boolean) {
    const record = library.row(id)?.record
    if (action === 'toggle') selection.toggle(id, range)
    else if (action === 'retry') library.reread([id])
    else if (action === 'menu') setMenu({ id, anchor: control, open: true })
    else if (record) void downloadTranscript(session, record, record.percent < 100 ? 'txt' : format)
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
        environment={session.environment}
        sort={props.state.sort}
        direction={props.state.direction}
        onSort={(sort, direction) => props.onChange({ sort, direction })}
        selection={selection.ids}
        onSelectAll={selection.all}
        activeId={activeId}
        onActivate={setActiveId}
        onCommand={onCommand}
        onVisible={onVisible}
        onAction={onAction}
        format={format}
        wishes={keptWishes}
      />
      {menu && (
        <RowMenu
          anchor={menu.open ? menu.anchor : null}
          record={menuRecord}
          lastFormat={format}
          deletesWhenReady={deletesWhenReady(menuRecord)}
          onClose={() => setMenu({ ...menu, open: false })}
          onDownload={(chosen) => {
            if (menuRecord === null) return
            if (menuRecord.percent === 100) setLastFormat(chosen)
            void downloadTranscript(session, menuRecord, chosen)
          }}
          onReceipt={() => menuRecord && void navigate(`${hrefOf(menuRecord.id)}/receipt`)}
          onDelete={() => menuRecord && onDelete([menuRecord])}
          onKeepAfterAll={() => menuRecord && void keepAfterAll(menuRecord)}
        />
      )}
    </>
  )
}

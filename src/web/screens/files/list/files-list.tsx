import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { unfinishedFormat } from '../../../../contract/interface/transcript-formats.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import type { Point } from '../../../base/ui/menu.tsx'
import type { Offers } from '../../../signed-in/file-actions/file-action.ts'
import { useCorrectedFiles } from '../../../signed-in/library/corrected-files.ts'
import { useLocalWishes } from '../../../signed-in/library/delete-when-ready.ts'
import type { FileLibrary } from '../../../signed-in/library/library.ts'
import { useLastFormat } from '../../../signed-in/preferences/last-format.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { startDownload } from '../../../transcript/downloads/start-download.ts'
import type { ColumnControls } from '../columns/column-layout.ts'
import { foundPath } from '../found/found-sentence.tsx'
import type { FoundFiles } from '../found/use-found.ts'
import type { Act } from '../list-feature.ts'
import { filePagePath } from '../rows/file-row.tsx'
import type { RowAction } from '../rows/row-element.ts'
import { FilesTable } from './files-table.tsx'
import type { ListState } from './list-state.ts'
import type { ListView } from './list-view.ts'
import type { RowCommand } from './table-events.ts'
import type { Selection } from './use-selection.ts'

const FormatMenu = laterPart(async () => (await import('../rows/format-menu.tsx')).FormatMenu)
const FileMenu = laterPart(async () => (await import('../../../signed-in/file-actions/file-menu.tsx')).FileMenu)

/** The row whose menu is open, or was last: a menu is built on first use, and then stays mounted, closed. */
type OpenMenu = { id: string; anchor: HTMLElement; open: boolean; at?: Point }

export type ListProps = {
  library: FileLibrary
  view: ListView
  /** files with full-text matches */
  found: FoundFiles
  /** names of projects by id; empty on a project's own page */
  projects: ReadonlyMap<string, string>
  /** how many files follow the known ones */
  unlisted: number
  state: ListState
  columns: ColumnControls
  /** rows are cards, not a table: see `cardsQuery` */
  hasCards: boolean
  now: number
  selection: Selection
  onChange: (change: Partial<ListState>) => void
  offers: Offers
  onAct: Act
}

/** The table and its row actions: open, select, download, delete. Longer than most: it passes handlers to the table. */
export function FilesList(props: ListProps) {
  const { library, selection } = props
  const session = useSession()
  const format = useLastFormat()
  const wishes = useLocalWishes(session)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [formats, setFormats] = useState<OpenMenu | null>(null)
  const onVisible = useCallback((ids: string[]) => library.want(ids), [library])
  const onCommand = useCommands(props)

  function onAction(action: RowAction, id: string, control: HTMLElement, range: boolean) {
    const record = library.row(id)?.record
    if (action === 'toggle') selection.toggle(id, range)
    else if (action === 'retry') library.reread([id])
    else if (action === 'menu') setMenu(toggled(menu, id, control))
    else if (action === 'formats') setFormats(toggled(formats, id, control))
    else if (record) startDownload(session, record, record.percent < 100 ? unfinishedFormat : format)
  }

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
        onMenu={(id, anchor, at) => setMenu({ id, anchor, at, open: true })}
        format={format}
        dates={useDates()}
        wishes={wishes}
        corrected={useCorrectedFiles(session)}
      />
      <Later wanted={menu !== null}>
        {menu && <FileMenu {...props} {...shown(menu)} onClose={() => setMenu({ ...menu, open: false })} />}
      </Later>
      <Later wanted={formats !== null}>
        {formats && <FormatMenu {...shown(formats)} onClose={() => setFormats({ ...formats, open: false })} />}
      </Later>
    </>
  )

  function shown(of: OpenMenu) {
    return { ...of, record: library.row(of.id)?.record ?? null }
  }
}

/** The same button closes its menu. */
function toggled(menu: OpenMenu | null, id: string, anchor: HTMLElement): OpenMenu {
  return { id, anchor, open: menu?.id !== id || menu.at !== undefined || !menu.open }
}

/** The effects of keys and clicks on a row. */
function useCommands({ view, found, selection, onAct }: ListProps): (command: RowCommand, id: string) => void {
  const { environment } = useSession()
  const navigate = useNavigate()
  return (command, id) => {
    const sentence = found.get(id)
    if (command.kind === 'open') {
      void navigate(command.path ?? (sentence ? foundPath(environment, id, sentence) : filePagePath(environment, id)))
    } else if (command.kind === 'select') selection.toggle(id, command.range)
    else if (command.kind === 'select-all') selection.all(true)
    else if (command.kind === 'clear') selection.clear()
    else {
      const rows = selection.ids.has(id) ? selection.rows : view.rows.filter((row) => row.id === id)
      const records = rows.flatMap(({ record }) => (record ? [record] : []))
      if (records.length > 0) onAct('remove', records)
    }
  }
}

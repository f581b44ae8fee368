import { Archive, File, LockKeyhole, ReceiptText, Tag, Trash2, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import {
  type TranscriptFormat,
  transcriptFormats,
  unfinishedFormat,
} from '../../../../contract/interface/transcript-formats.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { AnchoredMenu, MenuGroup, MenuItem, MenuSeparator } from '../../../base/ui/menu.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { formatNote } from '../../../signed-in/library/caption-rules.ts'
import { useCorrectedFiles } from '../../../signed-in/library/corrected-files.ts'
import { changeDeleteWhenReady } from '../../../signed-in/library/delete-when-ready.ts'
import type { FileLibrary } from '../../../signed-in/library/library.ts'
import { setLastFormat, useLastFormat } from '../../../signed-in/preferences/last-format.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { downloadTranscript } from '../../../transcript/downloads/download-transcript.ts'
import { archive, hold, label, move, remove } from '../actions.tsx'
import { calculateRefund, deletionOf } from '../delete/deletion-plan.ts'
import type { Act, Offers } from '../list-feature.ts'
import { filePagePath } from './file-row.tsx'

/** The row whose menu is open, or was last: the menu is built on first use, and then stays mounted, closed. */
export type OpenMenu = { id: string; anchor: HTMLElement; open: boolean }
type Props = {
  menu: OpenMenu
  library: FileLibrary
  /** ids of files that this tab deletes when they are ready */
  wishes: ReadonlySet<string>
  offers: Offers
  onAct: Act
  onClose: () => void
}

/** A row's menu: seven formats, the receipt, and deletion with its refund. Shared by all rows. */
export function RowMenu({ menu, onClose, ...rest }: Props) {
  const record = rest.library.row(menu.id)?.record ?? null
  return (
    <AnchoredMenu open={menu.open && record !== null} anchor={menu.anchor} onClose={onClose}>
      {record && (
        <>
          <DownloadItems record={record} />
          <MenuSeparator />
          <OtherItems record={record} {...rest} />
        </>
      )}
    </AnchoredMenu>
  )
}

function DownloadItems({ record }: { record: FileRecord }) {
  const session = useSession()
  const lastFormat = useLastFormat()
  const isCorrectedHere = useCorrectedFiles(session).has(record.id)
  const isCorrected = isCorrectedHere || record.corrections > 0
  const { percent } = record
  function download(format: TranscriptFormat, isOriginal = false) {
    if (percent === 100) setLastFormat(format)
    void downloadTranscript(session, record, format, isOriginal)
  }
  if (percent < 100) {
    return (
      <MenuGroup label="Not ready: work-in-progress text">
        <MenuItem note={`at ${Math.floor(percent)}%`} onSelect={() => download(unfinishedFormat)}>
          TXT
        </MenuItem>
      </MenuGroup>
    )
  }
  return (
    <>
      <MenuGroup label={isCorrected ? 'With your corrections' : 'Download as'}>
        {transcriptFormats.map((format) => (
          <MenuItem
            key={format}
            note={format === lastFormat ? 'last used' : formatNote(format, record)}
            onSelect={() => download(format)}
          >
            {format.toUpperCase()}
          </MenuItem>
        ))}
      </MenuGroup>
      {isCorrected && (
        <MenuItem note={lastFormat.toUpperCase()} onSelect={() => download(lastFormat, true)}>
          Original
        </MenuItem>
      )}
    </>
  )
}

function OtherItems({
  record,
  library,
  wishes,
  offers,
  onAct,
}: Omit<Props, 'menu' | 'onClose'> & { record: FileRecord }) {
  const session = useSession()
  const navigate = useNavigate()
  const isArchived = record.labels?.archived === true
  async function keepAfterAll() {
    try {
      await changeDeleteWhenReady(session, library, record, false, record.deleteWhenReady)
    } catch (error) {
      showToast({ tone: 'bad', title: 'Could not cancel the deletion', detail: (error as Error).message })
    }
  }
  return (
    <>
      <MenuItem onSelect={() => void navigate(`${filePagePath(session.environment, record.id)}/receipt`)}>
        <ReceiptText aria-hidden /> Receipt
      </MenuItem>
      {label.isOffered?.(offers) && (
        <>
          <MenuItem onSelect={() => onAct(label, [record])}>
            <Tag aria-hidden /> Name, note, tags…
          </MenuItem>
          <MenuItem onSelect={() => onAct(archive, [record])}>
            <Archive aria-hidden /> {isArchived ? 'Back from the archive' : 'Archive'}
          </MenuItem>
          <MenuItem onSelect={() => onAct(hold, [record])}>
            <LockKeyhole aria-hidden /> {record.labels?.held ? 'Stop keeping' : 'Keep forever'}
          </MenuItem>
        </>
      )}
      {move.isOffered?.(offers) && (
        <MenuItem onSelect={() => onAct(move, [record])}>
          <File aria-hidden /> Project…
        </MenuItem>
      )}
      <MenuSeparator />
      {(record.deleteWhenReady || wishes.has(record.id)) && (
        <MenuItem onSelect={() => void keepAfterAll()}>
          <Undo2 aria-hidden /> Do not delete when ready
        </MenuItem>
      )}
      <MenuItem danger note={deleteNote(record)} onSelect={() => onAct(remove, [record])}>
        <Trash2 aria-hidden /> Delete…
      </MenuItem>
    </>
  )
}

function deleteNote(record: FileRecord): string {
  const window = deletionOf(record)
  if (window === 'locked') return 'locked until ready'
  return window === 'free' ? 'no refund' : `refunds ${moneyText(calculateRefund(record), record.metadata.currency)}`
}

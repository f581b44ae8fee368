import { ReceiptText, Trash2, Undo2 } from 'lucide-react'
import { deletionWindow } from '../../../contract/deletion.ts'
import { type TranscriptFormat, transcriptFormats, transcriptNotes } from '../../../contract/transcript-formats.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { AnchoredMenu, MenuGroup, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { moneyText } from '../../ui/money.ts'
import { refundOf } from '../delete/deletion-plan.ts'

type Props = {
  open: boolean
  anchor: HTMLElement
  record: FileRecord | null
  lastFormat: TranscriptFormat
  deletesWhenReady: boolean
  /** on this device: downloads have the corrections */
  isCorrected: boolean
  onClose: () => void
  onDownload: (format: TranscriptFormat, isOriginal?: boolean) => void
  onReceipt: () => void
  onDelete: () => void
  onKeepAfterAll: () => void
}

/**
 * The menu of a row: seven formats, the receipt, and deleting with what would be refunded. One for all rows. Longer than
 * most: one item after the other.
 */
export function RowMenu(props: Props) {
  const { open, anchor, record, lastFormat, deletesWhenReady, isCorrected, onClose } = props
  return (
    <AnchoredMenu open={open && record !== null} anchor={anchor} onClose={onClose}>
      {record && (
        <>
          <MenuGroup
            label={
              record.percent < 100
                ? 'Not ready: work-in-progress text'
                : isCorrected
                  ? 'With your corrections'
                  : 'Download as'
            }
          >
            {record.percent < 100 ? (
              <MenuItem note={`at ${Math.floor(record.percent)}%`} onSelect={() => props.onDownload('txt')}>
                TXT
              </MenuItem>
            ) : (
              transcriptFormats.map((format) => (
                <MenuItem
                  key={format}
                  note={format === lastFormat ? 'last used' : transcriptNotes[format]}
                  onSelect={() => props.onDownload(format)}
                >
                  {format.toUpperCase()}
                </MenuItem>
              ))
            )}
          </MenuGroup>
          {isCorrected && (
            <MenuItem note={lastFormat.toUpperCase()} onSelect={() => props.onDownload(lastFormat, true)}>
              Original
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem onSelect={props.onReceipt}>
            <ReceiptText aria-hidden /> Receipt
          </MenuItem>
          <MenuSeparator />
          {deletesWhenReady && (
            <MenuItem onSelect={props.onKeepAfterAll}>
              <Undo2 aria-hidden /> Do not delete when ready
            </MenuItem>
          )}
          <MenuItem danger note={deleteNote(record)} onSelect={props.onDelete}>
            <Trash2 aria-hidden /> Delete…
          </MenuItem>
        </>
      )}
    </AnchoredMenu>
  )
}

function deleteNote(record: FileRecord): string {
  const window = deletionWindow(record.percent)
  if (window === 'locked') return 'locked until ready'
  return window === 'free' ? 'no refund' : `refunds ${moneyText(refundOf(record), record.metadata.currency)}`
}

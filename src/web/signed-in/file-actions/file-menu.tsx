import { ReceiptText, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { AnchoredMenu, MenuItem, MenuSeparator, type Point } from '../../base/ui/menu.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { changeDeleteWhenReady, useLocalWishes } from '../library/delete-when-ready.ts'
import type { FileLibrary } from '../library/library.ts'
import { useSession } from '../session/session.ts'
import { calculateRefund, deletionOf } from './deletion-plan.ts'
import type { Offers } from './file-action.ts'
import { type FileActionName, fileActions } from './file-actions.tsx'

type Props = {
  /** null: nothing is shown */
  record: FileRecord | null
  open: boolean
  /** regains the focus on closing */
  anchor: HTMLElement
  /** of a right click; without it the menu opens at its anchor */
  at?: Point | undefined
  library: FileLibrary
  offers: Offers
  onAct: (name: FileActionName, records: readonly FileRecord[]) => void
  onClose: () => void
}

/** What can be done with a file, at most seven entries; the same on its row in the list and on its own page. */
export function FileMenu({ record, open, anchor, at, onClose, ...rest }: Props) {
  return (
    <AnchoredMenu open={open && record !== null} anchor={anchor} at={at} onClose={onClose}>
      {record && <Items record={record} {...rest} />}
    </AnchoredMenu>
  )
}

type ItemsProps = Pick<Props, 'library' | 'offers' | 'onAct'> & { record: FileRecord }

function Items({ record, library, offers, onAct }: ItemsProps) {
  const { environment } = useSession()
  const navigate = useNavigate()
  const item = (name: FileActionName, { note, text }: { note?: string; text?: string } = {}) => {
    const action = fileActions[name]
    return (
      action.isOffered(offers) && (
        <MenuItem danger={'isDanger' in action} note={note} onSelect={() => onAct(name, [record])}>
          <action.Icon aria-hidden /> {text ?? action.label([record])}
        </MenuItem>
      )
    )
  }
  return (
    <>
      {item('label', { text: 'Name, note, tags…' })}
      {item('move')}
      {item('archive')}
      {item('hold')}
      <MenuItem onSelect={() => void navigate(`/${environment}/files/${encodeURIComponent(record.id)}/receipt`)}>
        <ReceiptText aria-hidden /> Receipt
      </MenuItem>
      <MenuSeparator />
      <CancelDeletion record={record} library={library} />
      {item('remove', { note: deleteNote(record) })}
    </>
  )
}

/** Cancels the deletion of a file when it is ready; nothing if there is none. */
function CancelDeletion({ record, library }: Pick<ItemsProps, 'record' | 'library'>) {
  const session = useSession()
  const wishes = useLocalWishes(session)
  if (!record.deleteWhenReady && !wishes.has(record.id)) return null
  async function cancel() {
    try {
      await changeDeleteWhenReady(session, library, record, false, record.deleteWhenReady)
    } catch (error) {
      showToast({ tone: 'bad', title: 'Could not cancel the deletion', detail: (error as Error).message })
    }
  }
  return (
    <MenuItem onSelect={() => void cancel()}>
      <Undo2 aria-hidden /> Do not delete when ready
    </MenuItem>
  )
}

function deleteNote(record: FileRecord): string {
  const window = deletionOf(record)
  if (window === 'locked') return 'locked until ready'
  return window === 'free' ? 'no refund' : `refunds ${moneyText(calculateRefund(record), record.metadata.currency)}`
}

import { useState } from 'react'
import type { DeskPart } from '../../../contract/work/parts.ts'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { type Shortcut, usePageKeys } from '../../transcript/desk/page-keys.ts'
import { useStaff } from '../staff-session.ts'
import { type DeskOverlay, deskKeys, type OwnKeys, readOwnKeys, storeOwnKeys, withOwnKeys } from './desk-keys.ts'
import { FindBar } from './find-bar.tsx'
import type { PartDesk } from './part-desk.ts'

const KeysDialog = laterPart(async () => (await import('./keys-dialog.tsx')).KeysDialog)

type DeskKeys = {
  /** the dialog or bar that is open */
  overlay: DeskOverlay | null
  /** opens one, and keeps the caret until it is closed, by null */
  show: (overlay: DeskOverlay | null) => void
  shortcuts: readonly Shortcut[]
  own: OwnKeys
  onOwn: (own: OwnKeys) => void
}

/** Listens for the desk's keys. @param isOver the hold has ended: typing must not act on the page */
export function useDeskKeys(open: PartDesk, part: DeskPart, isOver: boolean): DeskKeys {
  const { staff } = useStaff()
  const [overlay, setOverlay] = useState<DeskOverlay | null>(null)
  const [own, setOwn] = useState(() => readOwnKeys(staff.id))
  const show = (next: DeskOverlay | null) => {
    if (next === null || next === 'find') open.correcting.resume()
    else open.correcting.hold()
    setOverlay(next)
  }
  const onOwn = (next: OwnKeys) => {
    setOwn(next)
    storeOwnKeys(staff.id, next)
  }
  const shortcuts = withOwnKeys(deskKeys(open, part, show), own)
  usePageKeys(isOver ? [] : shortcuts)
  return { overlay, show, shortcuts, own, onOwn }
}

export function DeskKeysDialog({ overlay, show, ...keys }: DeskKeys) {
  return (
    <Later wanted={overlay === 'keys'}>
      {overlay === 'keys' && <KeysDialog {...keys} onClose={() => show(null)} />}
    </Later>
  )
}

/** Its code is here with the desk's: letters typed while it loads would act as keys of the text. */
export function DeskFind({ open, keys: { overlay, show } }: { open: PartDesk; keys: DeskKeys }) {
  return overlay === 'find' && <FindBar open={open} onClose={() => show(null)} />
}

import { Button } from '../../../base/ui/button.tsx'
import { Dialog } from '../../../base/ui/dialog.tsx'
import { countOf } from '../../../base/ui/sizes.ts'
import type { Owner } from '../tray/upload.ts'
import { uploadsUnderWay } from './leave-guard.ts'

type Props = { session: Owner; open: boolean; onStay: () => void; onLeave: () => void }

/** Asks before signing out interrupts uploads. */
export function LeaveDialog({ session, open, onStay, onLeave }: Props) {
  const count = open ? uploadsUnderWay(session) : 0
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title={`${countOf(count, 'upload')} ${count === 1 ? 'is' : 'are'} not finished`}
      description="Signing out stops them. Unfinished uploads are not charged, and continue after your next sign-in."
      actions={
        <>
          <Button onClick={onStay}>Stay signed in</Button>
          <Button variant="danger" onClick={onLeave}>
            Stop and sign out
          </Button>
        </>
      }
    />
  )
}

import type { Session } from '../../../base/api/client.ts'
import { Button } from '../../../base/ui/button.tsx'
import { Dialog } from '../../../base/ui/dialog.tsx'
import { countOf } from '../../../base/ui/sizes.ts'
import { restoreRecordings } from '../tray/recording-backup.ts'
import type { Owner } from '../tray/upload.ts'
import { startUploads } from '../uploads.ts'
import { guardLeaving, uploadsUnderWay, useTitlePercent } from './leave-guard.ts'
import { type DockPlace, UploadDock } from './upload-dock.tsx'

// Once, after the first page has rendered: resumes uploads of an earlier tab.
void startUploads().then(restoreRecordings)
guardLeaving()

type Props = { session: Session; place: DockPlace; isLeaving: boolean; onStay: () => void; onLeave: () => void }

/** The upload UI of every page: the dock, progress in the title, and a confirmation before signing out. */
export function PageUploads({ session, place, isLeaving, onStay, onLeave }: Props) {
  useTitlePercent(session)
  return (
    <>
      <UploadDock session={session} place={place} />
      <LeaveDialog session={session} open={isLeaving} onStay={onStay} onLeave={onLeave} />
    </>
  )
}

/** Whether signing out would interrupt uploads of an account. */
export function isUploading(session: Session): boolean {
  return uploadsUnderWay(session) > 0
}

type LeaveDialogProps = { session: Owner; open: boolean; onStay: () => void; onLeave: () => void }

/** Asks before signing out interrupts uploads. */
function LeaveDialog({ session, open, onStay, onLeave }: LeaveDialogProps) {
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

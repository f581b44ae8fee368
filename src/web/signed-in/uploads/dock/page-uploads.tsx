import type { Session } from '../../../base/api/client.ts'
import { restoreRecordings } from '../tray/recording-backup.ts'
import { startUploads } from '../uploads.ts'
import { LeaveDialog } from './leave-dialog.tsx'
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

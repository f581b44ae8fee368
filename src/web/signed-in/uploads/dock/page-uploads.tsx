import type { Session } from '../../../base/api/client.ts'
import { restoreRecordings } from '../tray/recording-backup.ts'
import { startUploads } from '../uploads.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { guardLeaving, uploadsUnderWay, useTitlePercent } from './leave-guard.ts'
import { type DockPlace, UploadDock } from './upload-dock.tsx'

// Once, when the first page stands: what an earlier tab left continues.
void startUploads().then(restoreRecordings)
guardLeaving()

type Props = { session: Session; place: DockPlace; isLeaving: boolean; onStay: () => void; onLeave: () => void }

/** What every page shows of uploads: the dock, their progress in the title, and a question before signing out. */
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

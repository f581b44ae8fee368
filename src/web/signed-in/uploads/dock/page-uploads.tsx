import { useEffect } from 'react'
import type { Session } from '../../../base/api/client.ts'
import { Button } from '../../../base/ui/button.tsx'
import { Dialog } from '../../../base/ui/dialog.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { restoreRecordings } from '../tray/recording-backup.ts'
import { isBusy, isOwnedBy, isSubmitted, type Owner } from '../tray/upload.ts'
import { startUploads, uploadList } from '../uploads.ts'
import { totalPercent, useUploads } from '../use-uploads.ts'
import { useBatchNews } from './batch-news.ts'
import { Dock, type DockPlace } from './upload-pill.tsx'

// Once, after the first page has rendered: resumes uploads of an earlier tab.
void startUploads().then(restoreRecordings)
guardLeaving()

type Props = { session: Session; place: DockPlace; isLeaving: boolean; onStay: () => void; onLeave: () => void }

/** The upload UI of every page: the dock, progress in the title, and a confirmation before signing out. */
export function PageUploads({ session, place, isLeaving, onStay, onLeave }: Props) {
  useTitlePercent(session)
  useBatchNews(session)
  return (
    <>
      <Dock session={session} place={place} />
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
      title={`${formatCount(count, 'upload')} ${count === 1 ? 'is' : 'are'} not finished`}
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

/**
 * Asks before the tab closes while uploads are running. Adds its listener only then, since it disables the back/forward
 * cache.
 */
function guardLeaving(): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  uploadList.subscribe(() => {
    const isUnderWay = uploadList.all().some((upload) => isBusy(upload) && !isWaitingForFile(upload.state))
    if (isUnderWay) window.addEventListener('beforeunload', ask)
    else window.removeEventListener('beforeunload', ask)
  })
}

function isWaitingForFile(state: { is: string; hold?: string }): boolean {
  return state.is === 'waiting' && (state.hold === 'file-needed' || state.hold === 'signed-out')
}

/** Number of uploads that signing out of an account would interrupt. */
function uploadsUnderWay(owner: Owner): number {
  return uploadList
    .all()
    .filter(
      (upload) => isSubmitted(upload) && isBusy(upload) && isOwnedBy(upload, owner) && !isWaitingForFile(upload.state),
    ).length
}

const percentPrefix = /^\(\d+%\) /

/** Prefixes the page's title with the progress of all uploads while any are running. */
function useTitlePercent(owner: Owner): void {
  const percent = totalPercent(useUploads(owner))
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(percentPrefix, '')
      const wanted = percent === null ? bare : `(${percent}%) ${bare}`
      if (document.title !== wanted) document.title = wanted
    }
    show()
    // Pages set their own titles as they mount and unmount; each gets the prefix.
    const observer = new MutationObserver(show)
    const title = document.querySelector('title')
    if (title) observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [percent])
}

import { useEffect } from 'react'
import { isBusy, isOwnedBy, isSubmitted, type Owner } from '../tray/upload.ts'
import { uploadList } from '../uploads.ts'
import { totalPercent, useUploads } from '../use-uploads.ts'

/**
 * Asks before the tab closes while uploads are running. Adds its listener only then, since it disables the back/forward
 * cache.
 */
export function guardLeaving(): void {
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
export function uploadsUnderWay(owner: Owner): number {
  return uploadList
    .all()
    .filter(
      (upload) => isSubmitted(upload) && isBusy(upload) && isOwnedBy(upload, owner) && !isWaitingForFile(upload.state),
    ).length
}

const percentPrefix = /^\(\d+%\) /

/** Prefixes the page's title with the progress of all uploads while any are running. */
export function useTitlePercent(owner: Owner): void {
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

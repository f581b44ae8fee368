import { useEffect } from 'react'
import type { Owner } from '../tray/line.ts'
import { isBusy, isOrderedFrom } from '../tray/line.ts'
import { isOwnedBy, lines } from '../uploads.ts'
import { totalPercent, useUploads } from '../use-uploads.ts'

/** The browser asks before the tab closes while something is on its way; attached only then, so pages stay cacheable. */
export function guardLeaving(): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  lines.subscribe(() => {
    const isUnderWay = lines.all().some((line) => isBusy(line) && !isWaitingForFile(line.state))
    if (isUnderWay) window.addEventListener('beforeunload', ask)
    else window.removeEventListener('beforeunload', ask)
  })
}

function isWaitingForFile(state: { is: string; hold?: string }): boolean {
  return state.is === 'waiting' && (state.hold === 'file-needed' || state.hold === 'signed-out')
}

/** How many uploads signing out of an account would interrupt. */
export function uploadsUnderWay(owner: Owner): number {
  return lines
    .all()
    .filter((line) => isOrderedFrom(line) && isBusy(line) && isOwnedBy(line, owner) && !isWaitingForFile(line.state))
    .length
}

const mark = /^\(\d+ %\) /

/** Puts the percentage of all uploads before the page's title while something is on its way. */
export function useTitlePercent(owner: Owner): void {
  const percent = totalPercent(useUploads(owner))
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(mark, '')
      const wanted = percent === null ? bare : `(${percent} %) ${bare}`
      if (document.title !== wanted) document.title = wanted
    }
    show()
    // Pages set their own titles as they come and go; the mark stands before each.
    const observer = new MutationObserver(show)
    const title = document.querySelector('title')
    if (title) observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [percent])
}

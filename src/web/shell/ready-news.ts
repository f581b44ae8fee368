import type { FileRecord } from '../api/metadata-reader.ts'
import type { Session } from '../session/session.ts'
import { announce } from '../ui/announcer.tsx'

const storageKey = 'parley.notify-ready'

/** Whether this device shows a notification when a file becomes ready. */
export function notifiesReady(): boolean {
  return localStorage.getItem(storageKey) === 'yes' && 'Notification' in window && Notification.permission === 'granted'
}

/** Turns notifications on (asks the browser) or off. @returns whether they are on now */
export async function setNotifiesReady(on: boolean): Promise<boolean> {
  const granted = on && 'Notification' in window && (await Notification.requestPermission()) === 'granted'
  localStorage.setItem(storageKey, granted ? 'yes' : 'no')
  return granted
}

/** A file became ready: said politely to screen readers, and by the browser where that is wanted and nobody looks. */
export function tellReady(session: Session, record: FileRecord): void {
  const name = record.metadata.name || 'A file'
  announce(`${name} is ready.`)
  if (!document.hidden || !notifiesReady()) return
  const notification = new Notification(`${name} is ready`, {
    body: session.environment === 'sandbox' ? 'Parley · Sandbox' : 'Parley',
    tag: record.id,
  })
  notification.addEventListener('click', () => window.focus())
}

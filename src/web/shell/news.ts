import type { AccountEvent } from '../api/events.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import type { Session } from '../session/session.ts'
import { announce } from '../ui/announcer.tsx'
import { changePreferences, type NewsKind, preferencesNow } from './preferences.ts'

const canNotify = (): boolean => 'Notification' in window

/** Whether news of a kind is shown by this browser. */
export function notifies(kind: NewsKind): boolean {
  return preferencesNow().news[kind] && canNotify() && Notification.permission === 'granted'
}

/** Turns news of a kind on or off; the browser is asked only now. @returns whether it is on */
export async function setNotifies(kind: NewsKind, on: boolean): Promise<boolean> {
  const granted = on && canNotify() && (await Notification.requestPermission()) === 'granted'
  changePreferences({ news: { ...preferencesNow().news, [kind]: granted } })
  return granted
}

/** Shown by the browser where that is wanted and nobody looks at the page. */
function notify(session: Session, kind: NewsKind, title: string, tag: string, detail?: string): void {
  if (!document.hidden || !notifies(kind)) return
  const place = session.environment === 'sandbox' ? 'Parley · Sandbox' : 'Parley'
  const notification = new Notification(title, { body: detail ? `${detail}\n${place}` : place, tag })
  notification.addEventListener('click', () => window.focus())
}

/** A file became ready: said politely to screen readers too. */
export function tellReady(session: Session, record: FileRecord): void {
  const name = record.metadata.name || 'A file'
  announce(`${name} is ready.`)
  notify(session, 'ready', `${name} is ready`, record.id)
}

/** What else the account's events tell: a file that is late, a refused payment, a webhook that was paused. */
export function tellNews(session: Session, event: AccountEvent, nameOf: (id: string) => string | undefined): void {
  if (event.kind === 'file-progress' && event.data.delay_reason !== null) {
    notify(
      session,
      'late',
      `${nameOf(event.data.id) ?? 'A file'} is late`,
      `late ${event.data.id}`,
      event.data.delay_reason,
    )
  } else if (event.kind === 'payment-failed') {
    notify(session, 'payment', 'A payment failed', 'payment', event.data.reason)
  } else if (event.kind === 'webhook' && event.data.paused && event.data.pause_reason !== null) {
    notify(session, 'webhook', 'The webhook was paused', 'webhook', event.data.pause_reason)
  }
}

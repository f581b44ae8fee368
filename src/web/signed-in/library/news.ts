import type { Session } from '../../base/api/client.ts'
import type { AccountEvent } from '../../base/api/events.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { announce } from '../../base/ui/announcer.tsx'
import { changePreferences } from '../preferences/change-preferences.ts'
import { type NewsKind, preferences } from '../preferences/preferences.ts'
import type { FileLibrary } from './library.ts'
import { projectName, readyCount } from './project-news.ts'

type News = {
  kind: NewsKind
  title: string
  detail?: string
  /** a notification replaces an older one with the same tag */
  tag: string
  /** path of its page, below the environment's */
  page: string
}

export const canNotify = (): boolean => 'Notification' in window
const openers = new Set<(path: string) => void>()

/** Whether this browser shows notifications of a kind. */
export function notifies(kind: NewsKind): boolean {
  return preferences.get().news[kind] && canNotify() && Notification.permission === 'granted'
}

/** Turns notifications of a kind on or off; only then is permission requested. @returns whether it is on */
export async function setNotifies(session: Session, kind: NewsKind, on: boolean): Promise<boolean> {
  const granted = on && canNotify() && (await Notification.requestPermission()) === 'granted'
  void changePreferences(session, { news: { [kind]: granted } })
  return granted
}

/** Calls `opener` with the path behind a clicked notification. Returns an unsubscribe function. */
export function onNewsOpened(opener: (path: string) => void): () => void {
  openers.add(opener)
  return () => void openers.delete(opener)
}

/** Shows a browser notification, if its kind is enabled and the page is not being viewed. */
function notify(session: Session, { kind, ...news }: News): void {
  if (notifies(kind)) showNotification(session, news)
}

/** Shows a browser notification, if that is permitted and the page is not being viewed. A click opens its page. */
export function showNotification({ environment }: Session, { title, detail, tag, page }: Omit<News, 'kind'>): void {
  if (!document.hidden || !canNotify() || Notification.permission !== 'granted') return
  const place = environment === 'sandbox' ? 'Parley · Sandbox' : 'Parley'
  const notification = new Notification(title, { body: detail ? `${detail}\n${place}` : place, tag })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    for (const open of openers) open(`/${environment}/${page}`)
  })
}

const buildFilePath = (fileId: string) => `files/${encodeURIComponent(fileId)}`

/**
 * Notifies of a file that became ready, politely to screen readers, too. Files of a project give one browser
 * notification, when all of it is ready.
 */
export function notifyOfReady(library: FileLibrary, record: FileRecord): void {
  const { session } = library
  const name = record.metadata.name || 'A file'
  announce(`${name} is ready.`)
  if (record.project !== null) return void notifyOfProject(library, record.project)
  notify(session, { kind: 'ready', title: `${name} is ready`, tag: record.id, page: buildFilePath(record.id) })
}

async function notifyOfProject(library: FileLibrary, id: string): Promise<void> {
  if (!document.hidden || !notifies('ready')) return
  const count = readyCount(library, id)
  if (count === null) return
  const title = `${(await projectName(library, id)) || 'A project'} is ready`
  const detail = count === 1 ? '1 transcript' : `${count} transcripts`
  notify(library.session, { kind: 'ready', title, detail, tag: id, page: `projects/${encodeURIComponent(id)}` })
}

/**
 * Notifies of other events: a file that became late, a failed payment, a paused webhook.
 * @param known the file's record before the event
 */
export function notifyOfEvent(
  session: Session,
  event: AccountEvent,
  known: (id: string) => FileRecord | undefined,
): void {
  if (event.kind === 'file-progress') {
    const { id, delay_reason: detail, given_up } = event.data
    const record = known(id)
    if (detail === null || detail === record?.metadata.delay_reason) return
    const title = `${record?.metadata.name || 'A file'} ${given_up ? 'was given up' : 'is delayed'}`
    notify(session, { kind: 'late', title, detail, tag: `late ${id}`, page: buildFilePath(id) })
  } else if (event.kind === 'payment-failed' || event.kind === 'card-expires') {
    const { reason: detail } = event.data
    notify(session, {
      kind: 'payment',
      title: event.kind === 'card-expires' ? 'The card expires' : 'A payment failed',
      detail,
      tag: 'payment',
      page: 'settings/money#payment',
    })
  } else if (event.kind === 'webhook' && event.data.paused && event.data.pause_reason !== null) {
    const { pause_reason: detail } = event.data
    notify(session, { kind: 'webhook', title: 'The webhook was paused', detail, tag: 'webhook', page: 'webhooks' })
  }
}

import { account } from '../api/account.ts'
import type { Credentials, Session } from '../api/client.ts'
import { fetchFileIds, fetchRecord, files } from '../api/files.ts'
import { queryClient } from '../api/query-client.ts'
import { forgetUpload, resumeFile } from '../api/resume-file.ts'
import { sendFile } from '../api/send-file.ts'
import { liveIfShown } from '../library/live.ts'
import { onSessionChange, sessionOf } from '../session/session.ts'
import { findExisting } from './queue/existing-file.ts'
import { UploadQueue } from './queue/queue.ts'
import type { Abilities, SendLine } from './queue/queue-ports.ts'
import { mimeTypeOf } from './tray/find-file.ts'
import { LineKeeper } from './tray/keeper.ts'
import { isBusy, type Line, type Owner } from './tray/line.ts'
import { createLines } from './tray/lines.ts'

/** Smaller files are sent again in less time than a resumption is worth. */
const resumableFromBytes = 50_000_000

/** Every line of this tab: the tray and the uploads. Lives as long as the tab, whatever page is shown. */
export const lines = createLines()

function sessionOfOwner(owner: Owner): Session | null {
  const session = sessionOf(owner.environment)
  return session?.account === owner.account ? session : null
}

/** A service without an account interface promises neither keys nor pieces. */
function abilitiesOf(owner: Owner): Abilities {
  const session = sessionOfOwner(owner)
  const overview = session && queryClient.getQueryData(account.overview(session).queryKey)
  return { knowsKeys: overview != null, resumes: overview?.features.resumable_uploads ?? false }
}

const send: SendLine = (credentials, line, file, options) => {
  const { id: idempotencyKey, name, resumeUrl } = line
  const { query } = line.agreement
  if (line.source.kind === 'link') {
    return sendFile(credentials, { body: { link: line.source.url }, query, idempotencyKey }, options)
  }
  if (file === null) throw new TypeError('A line with a file is sent without one.')
  const recording = { file, name, mimeType: mimeTypeOf(line, file) }
  return options.resumes && file.size >= resumableFromBytes
    ? resumeFile(credentials, { ...recording, query, idempotencyKey, resumeUrl }, options)
    : sendFile(credentials, { body: recording, query, idempotencyKey }, options)
}

/** Waits for any answer of the service, asking more and more rarely. */
async function untilReachable(signal: AbortSignal): Promise<void> {
  for (let waitMs = 1_000; ; waitMs = Math.min(30_000, waitMs * 2)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    signal.throwIfAborted()
    const isReachable = await fetch('/healthz', { cache: 'no-store', credentials: 'omit' }).then(
      () => true,
      () => false,
    )
    if (isReachable) return
  }
}

/** Shows the new file in the list at once. */
function onOrdered(line: Line, fileId: string): void {
  const session = sessionOfOwner(line.owner)
  if (session === null) return
  tellSpent(session)
  const live = liveIfShown(session)
  // Live events bring it by themselves, hundreds of them at less cost than asking for each.
  if (live === null || live.events.state.get() === 'live') return
  const shown = async () => live.library.put(await queryClient.query(files.one(session, fileId)))
  // The list finds it by itself soon where this fails.
  void shown().catch(() => undefined)
}

const spentToldEveryMs = 1_000
const telling = new Set<string>()

/** What was charged shows on the account's pages: asked once for many small files. */
function tellSpent(session: Session): void {
  if (telling.has(session.account)) return
  telling.add(session.account)
  setTimeout(() => {
    telling.delete(session.account)
    void queryClient.invalidateQueries({ queryKey: account.all(session) })
  }, spentToldEveryMs)
}

const listKeptMs = 30_000
const lists = new Map<string, { at: number; ids: Promise<readonly string[]> }>()

/** Ids on the account before a first try; hundreds of lines that are sent after each other share one list. */
function listIds(credentials: Credentials): Promise<readonly string[]> {
  const known = lists.get(credentials.key)
  if (known !== undefined && Date.now() - known.at < listKeptMs) return known.ids
  const ids = fetchFileIds(credentials)
  lists.set(credentials.key, { at: Date.now(), ids })
  ids.catch(() => lists.delete(credentials.key))
  return ids
}

export const keeper = new LineKeeper(lines)

export const queue: UploadQueue = new UploadQueue({
  lines,
  credentialsOf: sessionOfOwner,
  abilitiesOf,
  send,
  listIds,
  findExisting: async (credentials, line) => {
    const claimed = lines.all().flatMap(({ state }) => (state.is === 'ordered' ? [state.fileId] : []))
    const ids = (await fetchFileIds(credentials)).filter((id) => !claimed.includes(id))
    return findExisting(line, ids, async (id) => (await fetchRecord(credentials, id)).metadata)
  },
  untilReachable,
  saved: () => keeper.saved(),
  isOnline: () => navigator.onLine,
  now: () => Date.now(),
  every: (ms, callback) => {
    const timer = setInterval(callback, ms)
    return () => clearInterval(timer)
  },
  onOrdered,
})

/** Stops lines, forgets them, and frees what they hold on the service. */
export function cancelLines(ids: readonly string[]): void {
  for (const id of ids) {
    const line = lines.get(id)
    const session = line && sessionOfOwner(line.owner)
    if (line?.resumeUrl && session && line.state.is !== 'confirming') void forgetUpload(session, line.resumeUrl)
  }
  queue.cancel(ids)
}

/** True for a line of this account. */
export function isOwnedBy(line: Line, owner: Owner): boolean {
  return line.owner.account === owner.account && line.owner.environment === owner.environment
}

let isStarted = false

/** Brings back what a reload or a closed tab left, and begins to send. Resolves once it is there. Called by the shell. */
export async function startUploads(): Promise<void> {
  if (isStarted) return
  isStarted = true
  window.addEventListener('online', () => queue.pump())
  window.addEventListener('offline', () => queue.pump())
  onSessionChange(() => {
    for (const line of lines.all()) if (isBusy(line) && sessionOfOwner(line.owner) === null) queue.hold(line.owner)
    queue.pump()
  })
  await keeper.start()
  queue.pump()
}

import { environments } from '../../../contract/interface/environment.ts'
import { account } from '../../base/api/account.ts'
import type { Credentials, Session } from '../../base/api/client.ts'
import { fetchFileIds, fetchRecord } from '../../base/api/file-metadata.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { forgetUpload, resumeFile } from '../../base/api/resume-file.ts'
import { sendFile } from '../../base/api/send-file.ts'
import { Signal } from '../../base/state/signal.ts'
import { liveIfShown, onFilesStored } from '../library/live.ts'
import { awaitProjectUploads } from '../library/project-news.ts'
import { readFile } from '../library/use-file.ts'
import { getSession, onSessionChange } from '../session/session.ts'
import { orderedIds, takeFile } from './batch.ts'
import { findExisting } from './queue/existing-file.ts'
import { UploadQueue } from './queue/queue.ts'
import type { Abilities, SendUpload } from './queue/queue-ports.ts'
import { getMimeType } from './tray/file-to-send.ts'
import { Inspector } from './tray/inspector.ts'
import { TwinComparer } from './tray/twins.ts'
import { type Agreement, isBusy, isOwnedBy, type Owner, type Upload } from './tray/upload.ts'
import { UploadList } from './tray/upload-list.ts'
import { UploadStorage } from './tray/upload-storage.ts'
import { uploadsWanted } from './uploads-wanted.ts'

/** Smaller files restart from the beginning: that takes less time than resuming saves. */
const resumableFromBytes = 50_000_000

// The page that loaded this code may add uploads, so from here on the frame shows them.
uploadsWanted.set(true)

/** Every upload of this tab, from the tray until it is ordered. Lives as long as the tab, across pages. */
export const uploadList = new UploadList()

function sessionOfOwner(owner: Owner): Session | null {
  const session = getSession(owner.environment)
  return session?.account === owner.account ? session : null
}

/** A service without the account interface promises neither Idempotency-Key nor resumable uploads. */
function makeAbilities(owner: Owner): Abilities {
  const session = sessionOfOwner(owner)
  const overview = session && queryClient.getQueryData(account.overview(session).queryKey)
  return { knowsKeys: overview != null, resumes: overview?.features.resumable_uploads ?? false }
}

const send: SendUpload = (credentials, upload, file, options) => {
  const { id: idempotencyKey, name, resumeUrl } = upload
  const {
    query,
    maxTotalCents = null,
    maxTopUpCents = null,
    preset = null,
    project = null,
    sound = null,
    batch,
    freeMs = null,
  } = upload.agreement
  const refusesKnown = upload.agreement.mayRepeat !== true
  const agreed = { query, maxTotalCents, maxTopUpCents, preset, project, sound, batch, freeMs, refusesKnown }
  const order = { ...agreed, idempotencyKey }
  if (upload.source.kind === 'link') {
    return sendFile(credentials, { ...order, body: { link: upload.source.url } }, options)
  }
  if (file === null) throw new TypeError('The upload has a file, but it is sent without one.')
  const recording = { file, name, mimeType: getMimeType(upload, file) }
  return options.resumes && file.size >= resumableFromBytes
    ? resumeFile(credentials, { ...recording, ...order, resumeUrl }, options)
    : sendFile(credentials, { ...order, body: recording }, options)
}

/** Waits until the service responds at all, with exponential backoff. */
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

/** Shows the new file in the list immediately. */
function onOrdered(upload: Upload, fileId: string): void {
  const session = sessionOfOwner(upload.owner)
  if (session === null) return
  refreshAccount(session)
  const live = liveIfShown(session)
  if (live === null) return
  const isFirst = live.library.list.positions.size === 0
  // Live events deliver it anyway, and hundreds of them cost less than a request for each.
  if (!isFirst && live.events.state.get() === 'live') return
  reading += 1
  awaitFiles()
  // If this fails, the list soon finds the file on its own.
  void readFile(live.library, fileId)
    .catch(() => undefined)
    .finally(() => {
      reading -= 1
      awaitFiles()
    })
}

/** How many ordered files are being read for a list. */
let reading = 0

/** Until the first upload is in the list, the list does not say that it is empty. */
function awaitFiles(): void {
  for (const environment of environments) {
    const session = getSession(environment)
    const live = session && liveIfShown(session)
    const isUploading = (upload: Upload) => session !== null && isBusy(upload) && isOwnedBy(upload, session)
    live?.library.awaitFiles(reading > 0 || uploadList.all().some(isUploading))
  }
}

uploadList.subscribe(awaitFiles)

const isLost = ({ unclearSince, state }: Upload): boolean =>
  unclearSince !== null && (state.is === 'waiting' || state.is === 'failed')

/**
 * Marks uploads as ordered whose response did not arrive, but whose files did: after a reload nothing need be chosen
 * again for them, and a refusal of the retry says nothing about the order.
 * @param stored files that were just read; omitted: all of the list
 */
function recoverOrders(session: Session, stored?: readonly FileRecord[]): void {
  const lost = uploadList.all().filter((upload) => isLost(upload) && isOwnedBy(upload, session))
  if (lost.length === 0) return
  const listed = () =>
    liveIfShown(session)
      ?.library.snapshot.get()
      .rows.flatMap(({ record }) => record ?? [])
  const ordered = orderedIds(uploadList.all())
  const others = new Set((stored ?? listed() ?? []).filter(({ id }) => !ordered.has(id)))
  for (const upload of lost) {
    const file = takeFile(upload, others)
    if (file === null) continue
    uploadList.change([upload.id], { state: { is: 'ordered', fileId: file.id }, unclearSince: null })
    refreshAccount(session)
  }
}

onFilesStored(recoverOrders)

function recoverAll(): void {
  const sessions = environments.map(getSession).filter((session) => session !== null)
  for (const session of sessions) recoverOrders(session)
}

const accountRefreshMs = 1_000
const refreshing = new Set<string>()

/** Refreshes the account's pages after charges: at most one request a second, however many small files are ordered. */
function refreshAccount(session: Session): void {
  if (refreshing.has(session.account)) return
  refreshing.add(session.account)
  setTimeout(() => {
    refreshing.delete(session.account)
    void queryClient.invalidateQueries({ queryKey: account.all(session) })
  }, accountRefreshMs)
}

const idsCachedMs = 30_000
const idsByKey = new Map<string, { at: number; ids: Promise<readonly string[]> }>()

/** Ids on the account before a first attempt, cached: hundreds of uploads in a row share one request. */
function listIds(credentials: Credentials): Promise<readonly string[]> {
  const cached = idsByKey.get(credentials.key)
  if (cached !== undefined && Date.now() - cached.at < idsCachedMs) return cached.ids
  const ids = fetchFileIds(credentials)
  idsByKey.set(credentials.key, { at: Date.now(), ids })
  ids.catch(() => idsByKey.delete(credentials.key))
  return ids
}

awaitProjectUploads((projectId) =>
  uploadList.all().some((upload) => isBusy(upload) && upload.agreement?.project?.id === projectId),
)

export const twinComparer = new TwinComparer(uploadList)

export const inspector = new Inspector(uploadList, () => twinComparer.compare())

export const uploadStorage = new UploadStorage(uploadList)

export const queue: UploadQueue = new UploadQueue({
  uploads: uploadList,
  credentialsOf: sessionOfOwner,
  makeAbilities,
  send,
  listIds,
  findExisting: async (credentials, upload) => {
    const claimed = uploadList.all().flatMap(({ state }) => (state.is === 'ordered' ? [state.fileId] : []))
    const ids = (await fetchFileIds(credentials)).filter((id) => !claimed.includes(id))
    return findExisting(upload, ids, async (id) => (await fetchRecord(credentials, id)).metadata)
  },
  untilReachable,
  save: () => uploadStorage.save(),
  isOnline: () => navigator.onLine,
  now: () => Date.now(),
  every: (ms, callback) => {
    const timer = setInterval(callback, ms)
    return () => clearInterval(timer)
  },
  onOrdered,
})

/** Aborts uploads and removes them from this device and, if parts of them are there, from the service. */
export function cancelUploads(ids: readonly string[]): void {
  for (const id of ids) {
    const upload = uploadList.get(id)
    const session = upload && sessionOfOwner(upload.owner)
    if (upload?.resumeUrl && session && upload.state.is !== 'confirming') void forgetUpload(session, upload.resumeUrl)
  }
  queue.cancel(ids)
}

/** Changes what a customer agreed to. */
function amend(id: string, change: (agreement: Agreement) => Partial<Agreement>): void {
  uploadList.change([id], ({ agreement }) => ({ agreement: agreement && { ...agreement, ...change(agreement) } }))
}

/** Orders uploads that cost more than the page said, each at its true price, which the customer was shown. */
export function acceptPrices(uploads: readonly Upload[]): void {
  for (const { id, state } of uploads) {
    if (state.is !== 'failed' || state.failure.kind !== 'dearer') continue
    const { totalCents } = state.failure
    amend(id, () => ({ totalCents, maxTotalCents: totalCents }))
  }
  queue.retry(uploads.map(({ id }) => id))
}

/**
 * Orders uploads for which the card pays in what the page had not said, and has asked about now. What is paid in counts for
 * all that were ordered together (decision 149): others of them that need more are asked about again.
 */
export function acceptTopUp(uploads: readonly Upload[]): void {
  for (const { id, state } of uploads) {
    if (state.is !== 'failed' || state.failure.kind !== 'top-up') continue
    const { topUpCents } = state.failure
    amend(id, ({ maxTopUpCents }) => ({ maxTopUpCents: (maxTopUpCents ?? 0) + topUpCents }))
  }
  queue.retry(uploads.map(({ id }) => id))
}

/** Orders a recording that the account has already. */
export function acceptRepeat({ id }: Upload): void {
  amend(id, () => ({ mayRepeat: true }))
  queue.retry([id])
}

/** Orders again what waited for the bank, when somebody comes back from its page: the service knows what became of it. */
function retryAsked(): void {
  const isAsked = ({ state }: Upload) => state.is === 'failed' && state.failure.kind === 'asked'
  const ids = uploadList.all().flatMap((upload) => (isAsked(upload) ? [upload.id] : []))
  if (ids.length > 0) queue.retry(ids)
}

/** True once uploads of closed tabs are back; until then, what is missing may only be late. */
export const areRestored = new Signal(false)

let starting: Promise<void> | null = null

/**
 * Restores uploads after a reload or a closed tab, and starts sending, once in a tab. Recordings are added only then: files
 * chosen right after a reload belong to the uploads that wait for them. Resolves once restored.
 */
export function startUploads(): Promise<void> {
  starting ??= restoreAndSend()
  return starting
}

async function restoreAndSend(): Promise<void> {
  window.addEventListener('online', () => queue.pump())
  window.addEventListener('offline', () => queue.pump())
  document.addEventListener('visibilitychange', () => document.hidden || retryAsked())
  uploadList.subscribe(recoverAll)
  onSessionChange(() => {
    for (const upload of uploadList.all()) {
      if (isBusy(upload) && sessionOfOwner(upload.owner) === null) queue.hold(upload.owner)
    }
    queue.pump()
  })
  await uploadStorage.start()
  areRestored.set(true)
  queue.pump()
}

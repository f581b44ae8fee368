import type { FileMetadata } from '../../contract/metadata.ts'
import { firstPageUrl } from '../api/addresses.ts'
import { authorization } from '../api/authorization.ts'
import { ApiError, type Session, tellKeyRefused } from '../api/client.ts'
import { earlyAnswers, firstScreen } from '../api/early-answers.ts'
import { fetchFileIds, fetchRecord } from '../api/files.ts'
import { type FileRecord, recordOf, sourceOf } from '../api/metadata-reader.ts'
import { retentionMs } from '../api/retention.ts'
import { Signal } from '../state/signal.ts'
import { ChangePace } from './change-pace.ts'
import { failureOf, HeadReader } from './head-reader.ts'
import { LibraryHints } from './library-hints.ts'
import type { Failure, FromWorker, ToWorker } from './library-messages.ts'
import { type FileRow, FileRows } from './library-rows.ts'
import { emptySnapshot, type LibrarySnapshot, type LibraryState, toSnapshot } from './library-snapshot.ts'
import { readFirstPage } from './page-entries.ts'

const headLimit = 6
const notifyMs = 16
/** The rest is read once the first rows stand, or after this long where no list is on screen. */
const restAfterMs = 1_500
const retryMs = 5_000

/**
 * All files of an account: read by pages or HEADs (visible rows here, the rest in a worker), kept up to date by events
 * or polling, cached sealed on this device. It stands outside React and outside Query, which would hold ten thousand
 * observers: the page subscribes to one snapshot. Longer than most, as all of it works on the same rows.
 */
export class FileLibrary {
  readonly session: Session
  /** all files as they are shown; changes that come quickly are put together, see `ChangePace` */
  readonly snapshot = new Signal<LibrarySnapshot>(emptySnapshot)
  readonly #offersPages: () => boolean | Promise<boolean>
  readonly #hints: LibraryHints
  readonly #rows = new FileRows()
  #state: LibraryState = emptySnapshot
  readonly #readyListeners = new Set<(record: FileRecord) => void>()
  #worker: Worker | null = null
  /** HEAD mode: reads what is on screen */
  #heads: HeadReader | null = null
  /** reads what is asked for again */
  #single: HeadReader | null = null
  #pages = true
  #closed = false
  #wanted: readonly string[] = []
  /** listed, and not yet handed to the worker */
  #rest: string[] | null = null
  /** something was kept here before: reading waits until it is known which files are finished */
  #awaitsKept: boolean
  #notifyTimer: ReturnType<typeof setTimeout> | undefined
  #notifiedAt = Number.NEGATIVE_INFINITY
  readonly #pace = new ChangePace()
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  readonly #abort = new AbortController()
  readonly #first = Promise.withResolvers<void>()
  /** Settles once there are rows to show: the newest are read, or kept ones are there, or none can be. Never rejects. */
  readonly firstRows: Promise<void> = this.#first.promise

  /** @param offersPages whether the service's account interface gives metadata in pages */
  constructor(session: Session, offersPages: () => boolean | Promise<boolean>) {
    this.session = session
    this.#offersPages = offersPages
    this.#hints = new LibraryHints(session)
    this.#awaitsKept = this.#hints.hasCache
    void this.#open()
  }

  /** Calls back for each file that is seen to become ready. */
  onReady(listener: (record: FileRecord) => void): () => void {
    this.#readyListeners.add(listener)
    return () => void this.#readyListeners.delete(listener)
  }

  /** One row as it is now, or null where the account has no such file (that is known). */
  row(id: string): FileRow | null {
    return this.#rows.get(id)
  }

  /** These rows are looked at: read them first. Only HEAD mode has to be asked. */
  want(ids: readonly string[]): void {
    this.#wanted = ids
    if (this.#awaitsKept || !this.#heads) return
    this.#heads.readOnly(ids.filter((id) => this.#rows.isUnread(id)))
    if (ids.length > 0) void this.#heads.whenIdle().then(() => this.#readRest())
  }

  /** Looks for new, changed and deleted files. */
  async refresh(): Promise<void> {
    if (this.#closed) return
    if (this.#heads) await this.#list(this.#heads)
    else this.#tell({ kind: 'changes' })
  }

  /** Reads these again, though they are read or could not be. */
  reread(ids: readonly string[]): void {
    this.#single ??= this.#heads ?? this.#newHeadReader()
    this.#single.read(ids)
  }

  /** Looks around without events: the list, and of what is not ready at most `limit` files, others at each call. */
  async look(limit: number): Promise<void> {
    await this.refresh()
    if (this.#heads) this.reread(this.#rows.unfinished(limit))
  }

  /** Reads one file now, by HEAD. @throws ApiError (where it is 404 the file is gone here, too), MetadataError */
  async read(id: string, signal?: AbortSignal): Promise<void> {
    try {
      this.put(await fetchRecord(this.session, id, signal))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.remove([id])
      throw error
    }
  }

  /** Takes over what is known of a file from elsewhere, such as an answer. */
  put(record: FileRecord): void {
    this.#take([record])
    this.#tell({ kind: 'put', sources: [sourceOf(record)] })
    this.#changed()
  }

  /** Takes over what an event tells of a file that is known. */
  patch(id: string, changed: Pick<FileMetadata, 'progress_percent' | 'delay_reason' | 'delivery'>): void {
    const known = this.#rows.get(id)?.record
    if (!known) return
    const source = { ...sourceOf(known), metadata: { ...known.metadata, ...changed } }
    this.put(recordOf(source, retentionMs(this.session.environment)))
  }

  /** Takes deleted files out at once. */
  remove(ids: readonly string[]): void {
    this.#drop(ids)
    this.#tell({ kind: 'remove', ids: [...ids] })
    this.#changed()
  }

  close(): void {
    this.#closed = true
    this.#abort.abort()
    for (const reader of [this.#heads, this.#single]) reader?.close()
    this.#tell({ kind: 'close' })
    clearTimeout(this.#notifyTimer)
    clearTimeout(this.#retryTimer)
    this.#readyListeners.clear()
  }

  async #open(): Promise<void> {
    const offered = this.#offersPages()
    // Where it is not known yet, the list is asked for beside the question: who gives no pages will be asked for it.
    const early = offered === true || this.#hints.hasPages ? null : this.#fetchIds()
    try {
      this.#pages = await offered
      this.#hints.notePages(this.#pages)
    } catch (error) {
      this.#failed(failureOf(error))
    }
    if (this.#closed) return
    if (this.#pages) {
      early?.stop()
      this.#startWorker()
      // Where that fails, the worker reads the same and tells what is wrong.
      await this.#takeFirstPage().catch(() => undefined)
    } else {
      this.#heads = this.#newHeadReader()
      if (this.#awaitsKept) this.#startWorker()
      await this.#list(this.#heads, early?.ids)
    }
  }

  /** The newest files, where they were asked for before this page's code was here: the worker reads them again with all. */
  async #takeFirstPage(): Promise<void> {
    const { environment, key } = this.session
    const headers = { Authorization: authorization(key) }
    const answer = await earlyAnswers.claim(firstPageUrl(environment), { headers })
    if (!answer?.ok) return
    const { ids, total, records, problems } = readFirstPage(await answer.json(), environment)
    if (this.#closed || this.#state.complete) return
    this.#rows.lead(ids)
    this.#take(records)
    for (const { id, message } of problems) this.#rows.setProblem(id, message)
    this.#state = { ...this.#state, total }
    this.#firstStand()
  }

  #fetchIds(): { ids: Promise<string[]>; stop: () => void } {
    const abort = new AbortController()
    const stop = () => abort.abort()
    this.#abort.signal.addEventListener('abort', stop, { once: true })
    const ids = fetchFileIds(this.session, abort.signal)
    // Whether anybody waits for it is not known yet.
    ids.catch(() => undefined)
    return { ids, stop }
  }

  async #list(heads: HeadReader, asked: Promise<string[]> = this.#fetchIds().ids): Promise<void> {
    try {
      const ids = await asked
      for (const { id } of this.#rows.all()) heads.forget(id)
      this.#rows.list(ids)
      this.#state = { ...this.#state, total: ids.length, failure: null }
      // Before the page is there to say which: most often it shows the newest.
      if (this.#wanted.length === 0 && !this.#awaitsKept) {
        heads.read(ids.slice(0, firstScreen).filter((id) => this.#rows.isUnread(id)))
      }
      // At once: the page asks for its visible rows now, before the worker takes connections for the rest.
      this.#rest = ids
      this.#notify()
      if (!this.#awaitsKept) void heads.whenIdle().then(() => this.#firstStand())
      if (this.#state.complete) this.#readRest()
      else setTimeout(() => this.#readRest(), restAfterMs)
    } catch (error) {
      if (this.#closed) return
      this.#startWorker()
      this.#failed(failureOf(error))
    }
  }

  /** HEAD mode: hands the list to the worker, which reads what the page has not. */
  #readRest(): void {
    if (this.#rest === null || this.#closed) return
    if (this.#worker === null) {
      this.#startWorker()
      const sources = this.#rows.all().flatMap(({ record }) => (record ? [sourceOf(record)] : []))
      this.#tell({ kind: 'put', sources })
    }
    this.#tell({ kind: 'ids', ids: this.#rest })
    this.#rest = null
  }

  #startWorker(): void {
    if (this.#worker) return
    this.#worker = new Worker(new URL('./library-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#hear(data))
    this.#tell({ kind: 'open', session: this.session, pages: this.#pages })
  }

  #newHeadReader(): HeadReader {
    return new HeadReader(this.session, headLimit, {
      onRecord: (record) => this.put(record),
      onProblem: ({ id, message }) => {
        this.#rows.setProblem(id, message)
        this.#changed()
      },
      onGone: (id) => this.remove([id]),
      onStalled: (failure) => this.#failed(failure),
    })
  }

  #hear(message: FromWorker): void {
    if (this.#closed) return
    if (message.kind === 'kept') this.#takeKept(message.records, message.order, message.savedAt)
    else if (message.kind === 'failed') this.#failed(message.failure)
    else if (message.kind === 'removed') this.#drop(message.ids)
    else if (message.kind === 'names') this.#state = { ...this.#state, names: message.names }
    else if (message.kind === 'total') this.#state = { ...this.#state, total: message.total }
    else if (message.kind === 'records') {
      this.#take(message.records)
      for (const problem of message.problems) this.#rows.setProblem(problem.id, problem.message)
      this.#state = { ...this.#state, failure: null }
    } else {
      if (message.order) this.#rows.keepOnly(message.order)
      this.#hints.noteCached()
      this.#state = { ...this.#state, complete: true, keptAt: null, failure: null, total: this.#rows.size }
    }
    this.#changed()
    if (this.#rows.size > 0 || this.#state.complete) this.#firstStand()
  }

  #takeKept(records: readonly FileRecord[], order: readonly string[], savedAt: number | null): void {
    // In HEAD mode the list may be here before what was kept; then only its files count.
    if (this.#pages || this.#rows.size === 0) this.#rows.follow(order)
    this.#rows.takeKept(records)
    this.#awaitsKept = false
    this.want(this.#wanted)
    if (savedAt === null || this.#state.complete) return
    this.#state = { ...this.#state, keptAt: savedAt, total: Math.max(this.#state.total ?? 0, this.#rows.size) }
  }

  #take(records: readonly FileRecord[]): void {
    for (const { record, becameReady } of this.#rows.take(records)) {
      if (becameReady) for (const listener of this.#readyListeners) listener(record)
    }
  }

  #drop(ids: readonly string[]): void {
    this.#rows.drop(ids)
    for (const id of ids) this.#heads?.forget(id)
    if (this.#state.complete) this.#state = { ...this.#state, total: this.#rows.size }
  }

  #failed(failure: Failure): void {
    if (this.#closed) return
    if (failure.status === 401) tellKeyRefused(this.session)
    this.#state = { ...this.#state, failure }
    this.#changed()
    this.#firstStand()
    // HEAD readers go on by themselves once there is a list; all else is asked for again here.
    if (this.#heads && this.#state.total !== null) return
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => void this.refresh(), failure.retryAfterMs ?? retryMs)
  }

  #tell(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }

  /** Something changed: listeners hear of it a moment later, once for all that comes meanwhile. */
  #changed(): void {
    const now = performance.now()
    // Until all is read, the next rows are what people wait for.
    const everyMs = this.#state.complete ? this.#pace.count(now) : 0
    const waitMs = Math.max(notifyMs, this.#notifiedAt + everyMs - now)
    this.#notifyTimer ??= setTimeout(() => this.#notify(), waitMs)
  }

  /** Who waits for the first rows sees them at once. */
  #firstStand(): void {
    if (this.snapshot.get().read === 0) this.#notify()
    this.#first.resolve()
  }

  #notify(): void {
    clearTimeout(this.#notifyTimer)
    this.#notifyTimer = undefined
    this.#notifiedAt = performance.now()
    this.snapshot.set(toSnapshot(this.#rows.all(), this.#state))
  }
}

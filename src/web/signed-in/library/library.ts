import type { FileMetadata } from '../../../contract/interface/metadata.ts'
import { ApiError, reportRefusedKey, type Session } from '../../base/api/client.ts'
import { firstScreen } from '../../base/api/early-answers.ts'
import { fetchFileIds, fetchRecord } from '../../base/api/file-metadata.ts'
import { type FileRecord, toRecordSource, withMetadata } from '../../base/api/metadata-reader.ts'
import type { Signal } from '../../base/state/signal.ts'
import { dropMarks } from './corrected-files.ts'
import { toFailure } from './head-reader.ts'
import { LibraryHints } from './library-hints.ts'
import type { Failure, FromWorker, ToWorker } from './library-messages.ts'
import { type FileRow, FileRows } from './library-rows.ts'
import { emptySnapshot, type LibrarySnapshot, type LibraryState, toSnapshot } from './library-snapshot.ts'
import { claimFirstPage, type FirstFiles, type ReadRows } from './page-entries.ts'
import { SnapshotPacer } from './snapshot-pacer.ts'

const retryMs = 5_000

type Ports = {
  /** whether the service's account interface offers metadata in pages */
  offersPages: () => boolean | Promise<boolean>
  /** called for each file seen to become ready */
  onReady: (record: FileRecord) => void
}

/**
 * All files of an account. A worker reads them, in pages or, if the service has none, with one HEAD each, and caches
 * them sealed on this device; live events or polling report changes. Only the first rows are read here, before the
 * worker has started. Lives outside React and Query (decision 113): pages subscribe to one snapshot. Exceeds 250
 * lines, as all of it works on the same rows and their state.
 */
export class FileLibrary {
  readonly session: Session
  readonly #ports: Ports
  readonly #hints: LibraryHints
  readonly #rows = new FileRows()
  #state: LibraryState = emptySnapshot
  readonly #pacer: SnapshotPacer
  #pages = true
  #worker: Worker | null = null
  /** rows on screen; in HEAD mode the worker reads them first, once it has the list */
  #wanted: readonly string[] = []
  /** HEAD mode: the worker has the list */
  #isListed = false
  readonly #closing = new AbortController()
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  /** settles once there are rows to show */
  readonly #first = Promise.withResolvers<void>()
  /** settles once the first rows are read here and the worker reads the rest */
  #opened: Promise<void> | null = null

  constructor(session: Session, ports: Ports) {
    this.session = session
    this.#ports = ports
    this.#hints = new LibraryHints(session)
    this.#pacer = new SnapshotPacer(() => toSnapshot(this.#rows.all(), this.#state))
  }

  /** Starts reading all files, once. A page for one file does not need this before its own file. */
  open(): void {
    this.#opened ??= this.#open()
  }

  /** Snapshots of all files. Batches changes in quick succession. */
  get snapshot(): Signal<LibrarySnapshot> {
    return this.#pacer.snapshot
  }

  /** Settles once there are rows to show: the newest, or cached ones, or if none can be read. Never rejects. */
  get firstRows(): Promise<void> {
    return this.#first.promise
  }

  /** The current state of one row, or null if the library has no such file. */
  row(id: string): FileRow | null {
    return this.#rows.get(id)
  }

  /** Prioritizes the rows on screen, if each row is read separately. */
  want(ids: readonly string[]): void {
    this.#wanted = ids
    if (this.#isListed) this.#send({ kind: 'first', ids: ids.filter((id) => this.#rows.isUnread(id)) })
  }

  /** Checks for new, changed and deleted files. */
  refresh(): void {
    // Deferred: otherwise the worker would read the rows being read here again.
    void this.#opened?.then(() => this.#send({ kind: 'changes' }))
  }

  /** Reads these again, even if they are read or failed. */
  reread(ids: readonly string[]): void {
    this.#send({ kind: 'read', ids })
  }

  /** Polls if no events arrive: the list, and at most `limit` unfinished files, rotating with each call. */
  poll(limit: number): void {
    this.refresh()
    if (!this.#pages) this.reread(this.#rows.unfinished(limit))
  }

  /** Reads one file now, by HEAD. @throws ApiError (on 404 the file is removed here, too), MetadataError */
  async read(id: string, signal?: AbortSignal): Promise<void> {
    try {
      this.put(await fetchRecord(this.session, id, signal))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.remove([id])
      throw error
    }
  }

  /** Stores a file that another part of the page has read. */
  put(record: FileRecord): void {
    this.#store([record])
    this.#send({ kind: 'put', sources: [toRecordSource(record)] })
    this.#changed()
  }

  /** Applies an event to a known file. */
  patch(id: string, changed: Pick<FileMetadata, 'progress_percent' | 'delay_reason' | 'delivery'>): void {
    const known = this.#rows.get(id)?.record
    if (!known) return
    this.put(withMetadata(known, { ...known.metadata, ...changed }))
  }

  /** Removes deleted files immediately. */
  remove(ids: readonly string[]): void {
    this.#drop(ids)
    this.#send({ kind: 'remove', ids })
    this.#changed()
  }

  close(): void {
    this.#closing.abort()
    // The worker terminates itself once it has cached what it read.
    this.#send({ kind: 'close' })
    this.#pacer.stop()
    clearTimeout(this.#retryTimer)
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async #open(): Promise<void> {
    const offered = this.#ports.offersPages()
    // Until the service says whether it has pages, the list is fetched concurrently: it is needed if there are none.
    const unneeded = new AbortController()
    const signal = AbortSignal.any([unneeded.signal, this.#closing.signal])
    const page = claimFirstPage(this.session)
    const list = offered === true || page || this.#hints.hasPages ? null : fetchFileIds(this.session, signal)
    // Shown immediately: the worker reads it again with the rest, and reports any failure.
    const shown = page?.then((files) => this.#showFirstPage(files)).catch(() => undefined)
    // Marks rejections as handled: nothing may be awaiting this yet.
    list?.catch(() => undefined)
    try {
      this.#pages = await offered
      this.#hints.notePages(this.#pages)
    } catch (error) {
      this.#fail(toFailure(error))
    }
    if (this.#isClosed) return
    this.#startWorker()
    if (!this.#pages) return await this.#readFirstHeads(list ?? fetchFileIds(this.session, signal))
    unneeded.abort()
    await shown
  }

  #startWorker(): void {
    this.#worker = new Worker(new URL('./library-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data))
    this.#send({ kind: 'open', session: this.session, pages: this.#pages })
    // A page opened by its URL may have its file already.
    const sources = this.#rows.all().flatMap(({ record }) => (record ? [toRecordSource(record)] : []))
    if (sources.length > 0) this.#send({ kind: 'put', sources })
  }

  /** Shows the newest files, if they were requested before this page's code loaded. */
  #showFirstPage(page: FirstFiles | null): void {
    if (page === null || this.#isClosed || this.#state.complete) return
    this.#rows.lead(page.ids)
    this.#storeRows(page)
    this.#state = { ...this.#state, total: page.total }
    this.#showFirst()
  }

  /** HEAD mode: reads the list, and its first rows if none are cached. The worker reads the others, and failed ones. */
  async #readFirstHeads(list: Promise<string[]>): Promise<void> {
    try {
      const ids = await list
      this.#setList(ids)
      this.#pacer.publish()
      if (!this.#hints.hasCache) {
        await Promise.allSettled(ids.slice(0, firstScreen).map((id) => this.read(id, this.#closing.signal)))
        this.#showFirst()
      }
      this.#send({ kind: 'list', ids })
      this.#isListed = true
      this.want(this.#wanted)
    } catch (error) {
      this.#fail(toFailure(error))
    }
  }

  #setList(ids: readonly string[]): void {
    this.#rows.list(ids)
    this.#state = { ...this.#state, total: ids.length, failure: null }
  }

  #receive(message: FromWorker): void {
    if (this.#isClosed) return
    if (message.kind === 'cached') this.#storeCached(message.records, message.order, message.savedAt)
    else if (message.kind === 'failed') this.#fail(message.failure)
    else if (message.kind === 'removed') this.#drop(message.ids)
    else if (message.kind === 'names') this.#state = { ...this.#state, names: message.names }
    else if (message.kind === 'total') this.#state = { ...this.#state, total: message.total }
    else if (message.kind === 'list') {
      this.#setList(message.ids)
      this.#isListed = true
    } else if (message.kind === 'records') {
      this.#storeRows(message)
      this.#state = { ...this.#state, failure: null }
    } else {
      if (message.order) this.#rows.keepOnly(message.order)
      this.#hints.noteCached()
      this.#state = { ...this.#state, complete: true, cachedAt: null, failure: null, total: this.#rows.size }
    }
    this.#changed()
    if (this.#rows.hasRead || this.#state.complete) this.#showFirst()
  }

  #storeCached(records: readonly FileRecord[], order: readonly string[], savedAt: number | null): void {
    // In HEAD mode the list may arrive before the cache; then only its files count.
    if (this.#pages || this.#rows.size === 0) this.#rows.follow(order)
    this.#rows.putCached(records)
    if (savedAt === null || this.#state.complete) return
    this.#state = { ...this.#state, cachedAt: savedAt, total: Math.max(this.#state.total ?? 0, this.#rows.size) }
  }

  #store(records: readonly FileRecord[]): void {
    for (const { record, becameReady } of this.#rows.put(records)) if (becameReady) this.#ports.onReady(record)
  }

  #storeRows({ records, problems }: ReadRows): void {
    this.#store(records)
    for (const { id, message } of problems) this.#rows.setProblem(id, message)
  }

  #drop(ids: readonly string[]): void {
    this.#rows.drop(ids)
    dropMarks(this.session, ids)
    if (this.#state.complete) this.#state = { ...this.#state, total: this.#rows.size }
  }

  #fail(failure: Failure): void {
    if (this.#isClosed) return
    if (failure.status === 401) reportRefusedKey(this.session)
    this.#state = { ...this.#state, failure }
    this.#changed()
    this.#showFirst()
    // HEADs continue automatically once there is a list; everything else is requested again.
    if (!this.#pages && this.#state.total !== null) return
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => this.refresh(), failure.retryAfterMs ?? retryMs)
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }

  #changed(): void {
    this.#pacer.changed(this.#state.complete)
  }

  /** Publishes immediately to callers waiting for the first rows. */
  #showFirst(): void {
    if (this.snapshot.get().read === 0) this.#pacer.publish()
    this.#first.resolve()
  }
}

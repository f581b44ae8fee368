import { QueryObserver } from '@tanstack/react-query'
import type { FileMetadata } from '../../../contract/interface/metadata.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { files } from '../../base/api/files.ts'
import { type FileRecord, withMetadata } from '../../base/api/metadata-reader.ts'
import { queryClient } from '../../base/api/query-client.ts'
import type { Signal } from '../../base/state/signal.ts'
import { dropMarks } from './corrected-files.ts'
import type { FileSource, LibraryPort } from './file-source.ts'
import { headSource, RowsFailed, readOneByOne } from './head-source.ts'
import { LibraryDevice } from './library-device.ts'
import { hasCachedFiles, noteCachedFiles } from './library-hints.ts'
import {
  allRows,
  amendRow,
  dropRows,
  emptyList,
  type FileList,
  type FileRow,
  findRow,
  type ReadRows,
  storeCached,
  storeRows,
} from './library-rows.ts'
import { type LibrarySnapshot, toSnapshot } from './library-snapshot.ts'
import { pageSource, readEarlyPage } from './page-source.ts'
import { SnapshotPacer } from './snapshot-pacer.ts'

const retryMs = 5_000
/** Rows that failed are read again after a pause that doubles from the first to the last. */
const firstPauseMs = 1_000
const lastPauseMs = 60_000

/** What the query's function returns: rows have been stored in the query while they were read. */
const alreadyStored = { ...emptyList }

type Ports = {
  /** whether the service's account interface offers metadata in pages */
  offersPages: () => Promise<boolean>
  /** called for each file seen to become ready */
  onReady: (record: FileRecord) => void
  /** called after files were read */
  onStored: (records: readonly FileRecord[]) => void
}

type Amendment = Parameters<typeof amendRow>[2]

/**
 * All files of an account: one query, which a source fills a part at a time, and events change. A worker caches it
 * sealed on this device. Pages subscribe to one snapshot of it, which is paced (decision 113).
 */
export class FileLibrary implements LibraryPort {
  readonly session: Session
  /** ids of rows on screen, which a source reads first */
  wanted: readonly string[] = []
  readonly #ports: Ports
  readonly #observer: QueryObserver<FileList>
  readonly #device: LibraryDevice
  readonly #pacer = new SnapshotPacer(() => toSnapshot(allRows(this.list), { ...this.list, failure: this.#failure }))
  #source: FileSource | null = null
  #failure: LibrarySnapshot['failure'] = null
  /** by file: the fields that are being sent, and what the service keeps until then */
  readonly #amended = new Map<string, { changed: Amendment; kept: Amendment | null }>()
  #isAskedAgain = false
  #isOpen = false
  #isClosed = false
  readonly #first = Promise.withResolvers<void>()
  #restored: Promise<void> | null = null

  constructor(session: Session, ports: Ports) {
    this.session = session
    this.#ports = ports
    this.#device = new LibraryDevice(session, {
      record: (id) => this.row(id)?.record ?? null,
      onNames: (names) => this.update((list) => ({ ...list, names })),
    })
    this.#observer = new QueryObserver<FileList>(queryClient, {
      queryKey: files.list(session),
      queryFn: ({ signal }) => this.#read(signal),
      initialData: emptyList,
      // Read only when asked, by `refresh`.
      enabled: false,
      gcTime: Number.POSITIVE_INFINITY,
      structuralSharing: (before, after) => (after === alreadyStored ? before : after),
      networkMode: 'always',
      retry: (_, error) => !(error instanceof ApiError && error.status === 401),
      retryDelay: (failures, error) =>
        error instanceof RowsFailed
          ? Math.min(lastPauseMs, firstPauseMs * 2 ** failures)
          : ((error instanceof ApiError ? error.retryAfterMs : null) ?? retryMs),
      notifyOnChangeProps: ['failureReason'],
    })
    this.#observer.subscribe(({ failureReason }) => this.#fail(failureReason))
  }

  /** Starts reading all files, once. A page for one file does not need this before its own file. */
  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    // Otherwise it starts once the first rows are shown.
    if (hasCachedFiles(this.session)) this.#device.start()
    void this.#observer.refetch()
  }

  /** Snapshots of all files. Batches changes in quick succession. */
  get snapshot(): Signal<LibrarySnapshot> {
    return this.#pacer.snapshot
  }

  /** Settles once there are rows to show: the newest, or cached ones, or if none can be read. Never rejects. */
  get firstRows(): Promise<void> {
    return this.#first.promise
  }

  /** All files as now known. */
  get list(): FileList {
    return this.#observer.getCurrentQuery().state.data ?? emptyList
  }

  /** The current state of one row, or null if the library has no such file. */
  row(id: string): FileRow | null {
    return findRow(this.list, id)
  }

  /** Prioritizes the rows on screen, if each row is read separately. */
  want(ids: readonly string[]): void {
    this.wanted = ids
  }

  /** Checks for new, changed and deleted files. */
  refresh(): void {
    if (!this.#isOpen) return
    const { fetchStatus } = this.#observer.getCurrentQuery().state
    const isReading = fetchStatus === 'fetching' && this.#failure === null
    if (isReading && !this.#source?.canRestart) this.#isAskedAgain = true
    else void this.#observer.refetch()
  }

  /** Reads these again, even if they are read or failed. */
  reread(ids: readonly string[]): void {
    readOneByOne(this, ids).catch(() => this.refresh())
  }

  /** Reads one file now. @throws ApiError (on 404 the file is removed here, too), MetadataError */
  async read(id: string, signal?: AbortSignal): Promise<void> {
    try {
      const source = await this.#getSource()
      this.put(await source.readOne(this.session, id, signal))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.remove([id])
      throw error
    }
  }

  /** Stores a file that another part of the page has read. */
  put(record: FileRecord): void {
    this.store({ records: [record], problems: [] })
  }

  /** Applies an event to a file. A read under way may still store what was before it, so it is repeated. */
  patch(id: string, changed: Pick<FileMetadata, 'progress_percent' | 'delay_reason' | 'delivery'>): void {
    const known = this.row(id)?.record
    const { fetchStatus } = this.#observer.getCurrentQuery().state
    if (!known || fetchStatus === 'fetching') this.refresh()
    if (!known) return
    this.put(withMetadata(known, { ...known.metadata, ...changed }))
  }

  /**
   * Changes fields of a known file that no response to HEAD has, also on this device, while they are sent: what is read
   * meanwhile may be from before. If `send` rejects, they are as they were.
   */
  async amend(id: string, changed: Amendment, send: () => Promise<void>): Promise<void> {
    const own = { changed, kept: this.#amended.get(id)?.kept ?? this.row(id)?.record ?? null }
    const put = (amendment: Amendment) => {
      this.update((list) => amendRow(list, id, amendment))
      this.#device.put([id])
    }
    this.#amended.set(id, own)
    put(changed)
    const last = () => this.#amended.get(id) ?? own
    try {
      await send()
      last().kept = changed
    } catch (error) {
      if (own.kept !== null && last() === own) put({ captionRules: own.kept.captionRules })
      throw error
    } finally {
      if (last() === own) this.#amended.delete(id)
    }
  }

  /** Rows as read, with what is on its way to the service. */
  #withAmended(list: FileList, ids: ReadonlySet<string>): FileList {
    return [...this.#amended].reduce(
      (amended, [id, { changed }]) => (ids.has(id) ? amendRow(amended, id, changed) : amended),
      list,
    )
  }

  /** Notes whether uploads are about to add files: until then, an empty list counts as not yet known. */
  awaitFiles(awaited: boolean): void {
    if (this.#isClosed || awaited === this.list.awaited) return
    this.update((list) => ({ ...list, awaited }))
    // The page shown next must not say that there are no files.
    if (awaited && this.list.positions.size === 0) this.#pacer.publish()
  }

  /** Removes deleted files immediately. */
  remove(ids: readonly string[]): void {
    if (ids.length === 0) return
    const gone = new Set(ids)
    this.update((list) => dropRows(list, (id) => gone.has(id)))
    dropMarks(this.session, ids)
    this.#device.remove(ids)
  }

  /** Changes the list only here, not on this device. */
  update(change: (list: FileList) => FileList): void {
    if (this.#isClosed) return
    queryClient.setQueryData(files.list(this.session), change(this.list))
    this.#changed()
  }

  /** Stores what was read, also on this device. */
  store(rows: ReadRows): void {
    if (this.#isClosed) return
    const before = this.list
    this.#failure = null
    const ids = rows.records.map(({ id }) => id)
    this.update((list) => this.#withAmended(storeRows(list, rows), new Set(ids)))
    this.#device.put(ids)
    for (const { id } of rows.records) {
      const { record = null, readySeenAt = null } = this.row(id) ?? {}
      if (record && readySeenAt !== (findRow(before, id)?.readySeenAt ?? null)) this.#ports.onReady(record)
    }
    this.#ports.onStored(rows.records)
  }

  /** Everything is read. @param ids all of the account, unless only changes were read */
  complete(version: number | null, ids: readonly string[] | null): void {
    const present = ids && new Set(ids)
    this.#failure = null
    this.update((list) => {
      const rest = present ? dropRows(list, (id) => !present.has(id)) : list
      return { ...rest, version, complete: true, cachedAt: null }
    })
    this.showFirst()
    noteCachedFiles(this.session)
    this.#device.complete(ids, version)
  }

  /** Shows what is read so far, if nothing was shown before. */
  showFirst(): void {
    if (this.#isClosed) return
    if (this.snapshot.get().read === 0) this.#pacer.publish()
    this.#first.resolve()
    this.#device.start()
  }

  close(): void {
    this.#device.close()
    this.#isClosed = true
    this.#pacer.stop()
    this.#observer.destroy()
    queryClient.removeQueries({ queryKey: files.list(this.session) })
  }

  /** The query's function: shows what is at hand, then lets the source read the rest. */
  async #read(signal: AbortSignal): Promise<FileList> {
    this.#restored ??= this.#restore()
    await this.#restored
    const source = await this.#getSource()
    do {
      this.#isAskedAgain = false
      await source.read(this, signal)
    } while (this.#isAskedAgain)
    return alreadyStored
  }

  /** @throws ApiError if the service cannot be asked */
  async #getSource(): Promise<FileSource> {
    this.#source ??= (await this.#ports.offersPages()) ? pageSource : headSource
    return this.#source
  }

  /** Shows the newest files, if they were requested before this page's code loaded, and those cached here. */
  async #restore(): Promise<void> {
    // Its failure is that of the next request, too.
    await readEarlyPage(this).catch(() => undefined)
    const cached = hasCachedFiles(this.session) ? await this.#device.load() : null
    if (cached === null) return
    this.update((list) => storeCached(list, cached))
    this.showFirst()
  }

  #fail(error: Error | null): void {
    if (error === null || error instanceof RowsFailed) return
    this.#failure = { status: error instanceof ApiError ? error.status : 0, message: error.message }
    this.#changed()
    this.showFirst()
  }

  #changed(): void {
    this.#pacer.changed(this.list.complete ? null : (this.#source?.everyMs ?? 0))
  }
}

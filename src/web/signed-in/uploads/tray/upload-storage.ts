import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { uploadsDatabase } from '../uploads-wanted.ts'
import type { Upload, UploadState } from './upload.ts'
import type { UploadList } from './upload-list.ts'

/** An upload as stored: without the file, unless this device has its only copy. `tab` is the tab that owns it. */
type StoredUpload = Omit<Upload, 'state'> & { state: UploadState; tab: string; position: number }
/** The store has been called `lines` since the first version; existing data on customers' devices keeps it so. */
type Schema = DBSchema & { lines: { key: string; value: StoredUpload } }

/** The stored form of an upload. Omits progress, to avoid writing to disk several times a second. */
function toStored(upload: Upload, tab: string, position: number): StoredUpload {
  const { source, state } = upload
  const storedSource = source.kind === 'file' && source.recordedMs === null ? { ...source, file: null } : source
  return { ...upload, source: storedSource, state: stateAfterReload(state), tab, position }
}

/** The state after its tab is gone: uploads that were in progress wait. */
function stateAfterReload(state: UploadState): UploadState {
  const isUnderWay = state.is === 'sending' || state.is === 'confirming' || state.is === 'checking'
  return isUnderWay || state.is === 'waiting' ? { is: 'waiting', hold: 'turn' } : state
}

/** True if there is nothing to write: compares only the kind of a state, but all of a failure. */
function isSameStored(a: StoredUpload, b: StoredUpload): boolean {
  return (Object.keys(b) as (keyof StoredUpload)[]).every((name) => {
    if (name === 'state') return a.state.is === b.state.is && (a.state.is !== 'failed' || a.state === b.state)
    return a[name] === b[name] || (name === 'source' && JSON.stringify(a.source) === JSON.stringify(b.source))
  })
}

/**
 * Stores unfinished uploads in IndexedDB, so that a reload restores them under the same Idempotency-Key. Each tab holds
 * a lock while it lives, and only uploads of closed tabs are claimed: two tabs never send the same one.
 */
export class UploadStorage {
  readonly #uploads: UploadList
  readonly #tab = crypto.randomUUID()
  readonly #stored = new Map<string, StoredUpload>()
  /** uploads as of the last write: of hundreds, only a few change between writes */
  readonly #lastSeen = new Map<string, { upload: Upload; position: number }>()
  #database: Promise<IDBPDatabase<Schema>> | null = null
  #writing: Promise<void> = Promise.resolve()
  #isScheduled = false

  constructor(uploads: UploadList) {
    this.#uploads = uploads
  }

  /** Claims uploads of closed tabs, then stores every change. Does nothing if the browser offers no storage. */
  async start(): Promise<void> {
    if (navigator.locks === undefined || globalThis.indexedDB === undefined) return
    const reloaded = nameTab(this.#tab)
    void navigator.locks.request(lockName(this.#tab), () => new Promise(() => {}))
    // `lines` is an older word for uploads. Renaming the store would need a migration on every device, for no benefit.
    this.#database = openDB<Schema>(uploadsDatabase, 1, {
      upgrade: (database) => void database.createObjectStore('lines', { keyPath: 'id' }),
    })
    try {
      await this.#claimOrphans(reloaded)
    } catch {
      // Private windows may refuse storage: orders work, but do not survive a reload.
      this.#database = null
      return
    }
    this.#uploads.subscribe(() => this.#scheduleWrite())
    this.#scheduleWrite()
  }

  /** Writes all changes. Resolves once they are on disk. */
  async save(): Promise<void> {
    this.#write()
    await this.#writing
  }

  /** How many uploads of a batch other tabs of this browser have yet to send. */
  async countElsewhere(batch: string): Promise<number> {
    const records = (await (await this.#database)?.getAll('lines')) ?? []
    return records.filter(({ tab, agreement }) => tab !== this.#tab && agreement?.batch === batch).length
  }

  /** @param reloaded the tab that was reloaded: its lock may be freed a moment after the new page has begun */
  async #claimOrphans(reloaded: string | null): Promise<void> {
    const database = await this.#database
    const records = (await database?.getAll('lines')) ?? []
    const tabs = new Set(records.map(({ tab }) => tab))
    for (const tab of tabs) {
      // Does not wait if the tab is alive: it holds its lock, and its uploads go to the tab that asked first.
      if (await isGone(tab, tab === reloaded)) await this.#claim(tab)
      else void this.#claimOnceGone(tab)
    }
  }

  /** Leaves the uploads of a tab that is reloaded to its next page. */
  async #claimOnceGone(tab: string): Promise<void> {
    await navigator.locks.request(lockName(tab), () => undefined)
    await new Promise((resolve) => setTimeout(resolve, reloadedWithinMs))
    await this.#claim(tab)
  }

  /** One transaction, so that if two tabs find the same uploads, one gets all of them. */
  async #claim(tab: string): Promise<void> {
    const database = await this.#database
    if (!database) return
    const transaction = database.transaction('lines', 'readwrite')
    const orphans = (await transaction.store.getAll()).filter((record) => record.tab === tab)
    for (const record of orphans) {
      const claimed = { ...record, tab: this.#tab }
      this.#stored.set(record.id, claimed)
      await transaction.store.put(claimed)
    }
    await transaction.done
    const byPosition = orphans.toSorted((a, b) => a.position - b.position)
    this.#uploads.add(byPosition.map(({ tab: _tab, position: _position, ...upload }) => upload))
  }

  #scheduleWrite(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#write()
    })
  }

  #write(): void {
    const database = this.#database
    if (database === null) return
    const puts = this.#collectChanged()
    const present = new Set(this.#uploads.all().flatMap(({ id, state }) => (state.is === 'ordered' ? [] : [id])))
    const deletes = [...this.#stored.keys()].filter((id) => !present.has(id))
    for (const id of deletes) {
      this.#stored.delete(id)
      this.#lastSeen.delete(id)
    }
    if (puts.length + deletes.length === 0) return
    // A full disk must not stop the uploads: they continue, but do not survive a reload.
    this.#writing = this.#writing.then(() => commit(database, puts, deletes)).catch(() => undefined)
  }

  /** Records that differ from the stored ones. */
  #collectChanged(): StoredUpload[] {
    const changed: StoredUpload[] = []
    for (const [position, upload] of this.#uploads.all().entries()) {
      if (upload.state.is === 'ordered') continue
      const seen = this.#lastSeen.get(upload.id)
      if (seen?.upload === upload && seen.position === position) continue
      this.#lastSeen.set(upload.id, { upload, position })
      const record = toStored(upload, this.#tab, position)
      const stored = this.#stored.get(upload.id)
      if (stored !== undefined && isSameStored(stored, record)) continue
      this.#stored.set(upload.id, record)
      changed.push(record)
    }
    return changed
  }
}

const lockName = (tab: string): string => `parley-tab-${tab}`

const reloadedWithinMs = 10_000
const tabKey = 'parley.tab'

async function isGone(tab: string, isReloaded: boolean): Promise<boolean> {
  if (!isReloaded) return await navigator.locks.request(lockName(tab), { ifAvailable: true }, (lock) => lock !== null)
  const signal = AbortSignal.timeout(reloadedWithinMs)
  return await navigator.locks.request(lockName(tab), { signal }, () => true).catch(() => false)
}

/** Notes the name of this tab. @returns the one it had before, if it was reloaded: a duplicate has that of the other tab */
function nameTab(name: string): string | null {
  const before = sessionStorage.getItem(tabKey)
  sessionStorage.setItem(tabKey, name)
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' ? before : null
}

async function commit(opened: Promise<IDBPDatabase<Schema>>, puts: StoredUpload[], deletes: string[]): Promise<void> {
  const transaction = (await opened).transaction('lines', 'readwrite')
  for (const record of puts) void transaction.store.put(record)
  for (const id of deletes) void transaction.store.delete(id)
  await transaction.done
}

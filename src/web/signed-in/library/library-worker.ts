import { retentionMs } from '../../../contract/interface/limits.ts'
import type { Session } from '../../base/api/client.ts'
import { type FileRecord, type RecordSource, toFileRecord, toRecordSource } from '../../base/api/metadata-reader.ts'
import { dropCorrections } from './correction-database.ts'
import { LibraryCache } from './library-cache.ts'
import type { Cached } from './library-rows.ts'
import { sortNames } from './sort-names.ts'

/*
 * Caches an account's metadata on this device, and sorts names, off the main thread: both take long with ten thousand
 * files. Imports must stay few: one query key once pulled in the whole query client.
 */
const flushMs = 2_000

export type ToWorker =
  /** first message: whose files */
  | { kind: 'open'; session: Session }
  | { kind: 'put'; records: readonly FileRecord[] }
  | { kind: 'remove'; ids: readonly string[] }
  /** everything is read: all ids of the account, unless only changes were read */
  | { kind: 'complete'; order: readonly string[] | null; version: number | null }
  /** cache what is not yet cached, and terminate */
  | { kind: 'close' }

export type FromWorker =
  /** the content of this device's cache; null: empty */
  | { kind: 'cached'; cached: Cached | null }
  /** all names in locale order, each once; sent when they have changed */
  | { kind: 'names'; names: string[] }

let session: Session
let cache: LibraryCache | null = null
let version: number | null = null
/** ids of the account, in the service's order */
let known = new Set<string>()
const names = new Map<string, string>()
let namesChanged = false
let isFlushDue = false

const send = (message: FromWorker): void => postMessage(message)

async function open(opened: Session): Promise<void> {
  session = opened
  cache = await LibraryCache.open(session)
  const stored = (await cache?.load()) ?? null
  known = new Set(stored?.manifest.order)
  const sources = stored?.sources ?? []
  for (const source of sources) setName(source)
  const records = sources.map((source) => toFileRecord(source, retentionMs(session.environment)))
  send({ kind: 'cached', cached: stored && { ...stored.manifest, records } })
  // Words of opened transcripts, which earlier pages stored for an on-device search.
  globalThis.indexedDB?.deleteDatabase('parley-words')
}

function setName({ id, metadata }: RecordSource): void {
  if (names.get(id) === metadata.name) return
  names.set(id, metadata.name)
  namesChanged = true
}

function put(records: readonly FileRecord[]): void {
  for (const record of records) {
    const source = toRecordSource(record)
    known.add(source.id)
    setName(source)
    cache?.put(source)
  }
}

/** Removes files, and their corrections on this device. */
function drop(ids: Iterable<string>, isGone: (id: string) => boolean): void {
  for (const id of ids) {
    known.delete(id)
    names.delete(id)
    cache?.delete(id)
  }
  // If it fails, the next full list tries again.
  void dropCorrections(session.environment, session.account, isGone).catch(() => undefined)
}

function complete(order: readonly string[] | null, read: number | null): void {
  version = read
  if (order !== null) {
    const present = new Set(order)
    drop(
      [...known].filter((id) => !present.has(id)),
      (id) => !present.has(id),
    )
    known = present
  }
  if (!namesChanged) return
  namesChanged = false
  send({ kind: 'names', names: sortNames(new Set(names.values())) })
}

async function flush(): Promise<void> {
  isFlushDue = false
  await cache?.flush([...known], version)
}

async function receive(message: ToWorker): Promise<void> {
  if (message.kind === 'open') return open(message.session)
  if (message.kind === 'close') {
    await flush()
    return close()
  }
  if (message.kind === 'put') put(message.records)
  else if (message.kind === 'complete') complete(message.order, message.version)
  else {
    const gone = new Set(message.ids)
    drop(gone, (id) => gone.has(id))
  }
  if (isFlushDue) return
  isFlushDue = true
  setTimeout(() => void flush(), flushMs)
}

// One message at a time, so that nothing is stored before the cache is open.
let queue: Promise<void> = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  queue = queue.then(() => receive(data))
})

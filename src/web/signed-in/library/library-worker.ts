import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import { retentionMs } from '../../../contract/interface/limits.ts'
import type { Session } from '../../base/api/client.ts'
import { fetchFileIds } from '../../base/api/file-metadata.ts'
import { type FileRecord, type RecordSource, recordOf, toRecordSource } from '../../base/api/metadata-reader.ts'
import { dropCorrections } from './correction-database.ts'
import { HeadReader, toFailure } from './head-reader.ts'
import { type Cached, LibraryCache } from './library-cache.ts'
import type { FromWorker, RowProblem, ToWorker } from './library-messages.ts'
import { readAllPages, readChanges } from './page-reader.ts'
import { sortNames } from './sort-names.ts'

/*
 * Reads an account's metadata off the main thread, and caches it on this device. Results are posted in batches: each
 * costs the page one copy and one render. The page reads only the list and its first rows; everything else is read
 * here, so that there is one queue, one retry and one cache. Imports must stay few: one query key once pulled in the
 * whole query client.
 */
const batchMs = 120
const flushMs = 2_000
/** Lets the rows on screen paint before reading more. */
const paintMs = 100
/** The page's other requests share the browser's six connections to the service. */
const headLimit = 4

let session: Session
let cache: LibraryCache | null = null
let version: number | null = null
/** ids of the account as last read, in the service's order */
let known = new Set<string>()
const finished = new Set<string>()
const names = new Map<string, string>()
let namesChanged = false
/** read in this visit, here or by the page; the page requests rereads of unfinished ones, a few at a time */
const readNow = new Set<string>()
let pages = false
let heads: HeadReader
/** on screen and not read: posted without waiting for a full batch */
let wanted = new Set<string>()
/** Reads changes, coalescing all messages that request it. */
const changes = new CoalescedTask(
  () => (pages ? readInPages() : readList()),
  (error) => send({ kind: 'failed', failure: toFailure(error) }),
)

const send = (message: FromWorker): void => postMessage(message)

let batch: { records: FileRecord[]; problems: RowProblem[] } = { records: [], problems: [] }
let batchTimer: ReturnType<typeof setTimeout> | undefined
let isFlushDue = false

function sendBatch(): void {
  clearTimeout(batchTimer)
  batchTimer = undefined
  if (batch.records.length + batch.problems.length > 0) send({ kind: 'records', ...batch })
  batch = { records: [], problems: [] }
}

/** Adds a row that was read or failed to the next batch, sent immediately if it completes the rows on screen. */
function sendSoon(id: string): void {
  if (wanted.delete(id) && wanted.size === 0) {
    sendBatch()
    heads.rest(paintMs)
  } else batchTimer ??= setTimeout(sendBatch, batchMs)
}

function setName({ id, metadata }: RecordSource): void {
  if (names.get(id) === metadata.name) return
  names.set(id, metadata.name)
  namesChanged = true
}

/** Reports completion, and sorts the names if they have changed: a long sort that must not block a page. */
function sendComplete(order: string[] | null): void {
  send({ kind: 'complete', order })
  if (!namesChanged) return
  namesChanged = false
  send({ kind: 'names', names: sortNames(new Set(names.values())) })
}

function store(source: RecordSource): void {
  known.add(source.id)
  setName(source)
  readNow.add(source.id)
  cache?.put(source)
  if (source.metadata.progress_percent === 100) finished.add(source.id)
  flushSoon()
}

function flushSoon(): void {
  if (isFlushDue) return
  isFlushDue = true
  setTimeout(() => {
    isFlushDue = false
    void cache?.flush([...known], version)
  }, flushMs)
}

/** Removes corrections on this device together with their files. */
function dropCorrectionsOf(isGone: (file: string) => boolean): void {
  // If it fails, the next list of all files tries again (`dropOthers`).
  void dropCorrections(session.environment, session.account, isGone).catch(() => undefined)
}

function drop(ids: readonly string[]): void {
  for (const id of ids) {
    known.delete(id)
    names.delete(id)
    cache?.delete(id)
    finished.delete(id)
    heads.forget(id)
  }
  flushSoon()
}

function dropDeleted(ids: readonly string[]): void {
  drop(ids)
  const gone = new Set(ids)
  if (gone.size > 0) dropCorrectionsOf((id) => gone.has(id))
}

function newHeadReader(): HeadReader {
  return new HeadReader(session, headLimit, {
    onRecord: (record) => {
      store(toRecordSource(record))
      batch.records.push(record)
      sendSoon(record.id)
    },
    onProblem: (problem) => {
      batch.problems.push(problem)
      sendSoon(problem.id)
    },
    onGone: (id) => {
      dropDeleted([id])
      send({ kind: 'removed', ids: [id] })
    },
    onStalled: (failure) => send({ kind: 'failed', failure }),
  })
}

async function open(opened: Session, offersPages: boolean): Promise<void> {
  session = opened
  pages = offersPages
  heads = newHeadReader()
  cache = await LibraryCache.open(session)
  const cached = (await cache?.load()) ?? null
  if (cached) sendCached(cached)
  else send({ kind: 'cached', records: [], order: [], savedAt: null })
  // Words of opened transcripts, which earlier pages stored for an on-device search.
  globalThis.indexedDB?.deleteDatabase('parley-words')
  if (pages) changes.request()
}

function sendCached(cached: Cached): void {
  version = pages ? cached.version : null
  known = new Set(cached.order)
  for (const source of cached.sources) setName(source)
  const retention = retentionMs(session.environment)
  const records = cached.sources.map((source) => recordOf(source, retention))
  for (const record of records) if (record.percent === 100) finished.add(record.id)
  send({ kind: 'cached', records, order: cached.order, savedAt: cached.savedAt })
}

async function readInPages(): Promise<void> {
  if (version !== null) {
    version = await readChanges(session, version, (rows, deleted) => {
      for (const record of rows.records) store(toRecordSource(record))
      dropDeleted(deleted)
      send({ kind: 'removed', ids: deleted })
      send({ kind: 'records', ...rows })
    })
  }
  if (version === null) await readEverything()
  else sendComplete(null)
  flushSoon()
}

async function readEverything(): Promise<void> {
  const ids: string[] = []
  version = await readAllPages(session, (rows, total) => {
    for (const record of rows.records) store(toRecordSource(record))
    ids.push(...rows.records.map(({ id }) => id), ...rows.problems.map(({ id }) => id))
    send({ kind: 'total', total })
    send({ kind: 'records', ...rows })
  })
  dropOthers(new Set(ids))
  sendComplete(ids)
}

/** All ids of the account are known: removes stored data of any others. */
function dropOthers(present: ReadonlySet<string>): void {
  drop([...known].filter((id) => !present.has(id)))
  dropCorrectionsOf((id) => !present.has(id))
}

async function readList(): Promise<void> {
  const ids = await fetchFileIds(session)
  send({ kind: 'list', ids })
  // Not awaited: the next change of the list need not wait until all of this one is read.
  void readIds(ids)
}

async function readIds(ids: readonly string[]): Promise<void> {
  const present = new Set(ids)
  dropOthers(present)
  known = present
  heads.read(ids.filter((id) => !finished.has(id) && !readNow.has(id)))
  await heads.whenIdle()
  sendBatch()
  sendComplete(null)
}

function readFirst(ids: readonly string[]): void {
  wanted = new Set(ids.filter((id) => !finished.has(id)))
  heads.readFirst(wanted)
}

function receive(message: ToWorker): void {
  if (message.kind === 'list') void readIds(message.ids)
  else if (message.kind === 'first') readFirst(message.ids)
  else if (message.kind === 'read') heads.readFirst(message.ids)
  else if (message.kind === 'remove') dropDeleted(message.ids)
  else if (message.kind === 'changes') changes.request()
  else if (message.kind === 'put') {
    for (const source of message.sources) {
      heads.forget(source.id)
      store(source)
    }
  }
}

async function end(): Promise<void> {
  heads.close()
  await cache?.flush([...known], version)
  close()
}

// One message at a time, so that nothing is read before the cache is open.
let queue: Promise<void> = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  queue = queue.then(() => {
    if (data.kind === 'open') return open(data.session, data.pages)
    return data.kind === 'close' ? end() : receive(data)
  })
})

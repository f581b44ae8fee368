import * as z from 'zod/mini'
import { CoalescedTask } from '../../contract/coalesced-task.ts'
import type { Session } from '../api/client.ts'
import { type FileRecord, type RecordSource, recordOf, sourceOf } from '../api/metadata-reader.ts'
import { retentionMs } from '../api/retention.ts'
import type { SealedStore } from '../session/sealed-store.ts'
import { openWordStore } from '../word-search/word-store.ts'
import { failureOf, HeadReader } from './head-reader.ts'
import { type Kept, LibraryCache } from './library-cache.ts'
import type { FromWorker, RowProblem, ToWorker } from './library-messages.ts'
import { readAllPages, readChanges } from './page-reader.ts'
import { sortNames } from './sort-names.ts'

/*
 * Reads an account's metadata away from the page, and keeps it on this device. Hand-over is in batches: each costs the
 * page one copy and one render.
 */
z.config({ jitless: true })

const batchMs = 120
const flushMs = 2_000
/** The page's own reads of visible rows share the browser's six connections to the service. */
const headLimit = 4

let session: Session
let cache: LibraryCache | null = null
/** words of transcripts that were read here; they go with their file */
let words: SealedStore | null = null
let version: number | null = null
/** ids of the account as last read, in the service's order */
let known = new Set<string>()
const finished = new Set<string>()
const names = new Map<string, string>()
let namesChanged = false
/** read in this visit, here or by the page: unfinished ones are asked for again by the page, a few at a time */
const readNow = new Set<string>()
let pages = false
let heads: HeadReader
/** Reads what changed, from every message that says so. */
const changes = new CoalescedTask(readInPages, (error) => say({ kind: 'failed', failure: failureOf(error) }))

const say = (message: FromWorker): void => postMessage(message)

let batch: { records: FileRecord[]; problems: RowProblem[] } = { records: [], problems: [] }
let batchTimer: ReturnType<typeof setTimeout> | undefined
let isFlushDue = false

function handOver(): void {
  clearTimeout(batchTimer)
  batchTimer = undefined
  if (batch.records.length + batch.problems.length > 0) say({ kind: 'records', ...batch })
  batch = { records: [], problems: [] }
}

function setName({ id, metadata }: RecordSource): void {
  if (names.get(id) === metadata.name) return
  names.set(id, metadata.name)
  namesChanged = true
}

/** Says that all is read, and puts the names in order where they have changed: a long sort that no page should wait for. */
function tellComplete(order: string[] | null): void {
  say({ kind: 'complete', order })
  if (!namesChanged) return
  namesChanged = false
  say({ kind: 'names', names: sortNames(new Set(names.values())) })
}

function keep(source: RecordSource): void {
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

function drop(ids: readonly string[]): void {
  for (const id of ids) {
    known.delete(id)
    names.delete(id)
    cache?.delete(id)
    void words?.delete(id).catch(() => {})
    finished.delete(id)
    heads.forget(id)
  }
  flushSoon()
}

function newHeadReader(): HeadReader {
  return new HeadReader(session, headLimit, {
    onRecord: (record) => {
      keep(sourceOf(record))
      batch.records.push(record)
      batchTimer ??= setTimeout(handOver, batchMs)
    },
    onProblem: (problem) => {
      batch.problems.push(problem)
      batchTimer ??= setTimeout(handOver, batchMs)
    },
    onGone: (id) => {
      drop([id])
      say({ kind: 'removed', ids: [id] })
    },
    onStalled: (failure) => say({ kind: 'failed', failure }),
  })
}

async function open(opened: Session, offersPages: boolean): Promise<void> {
  session = opened
  pages = offersPages
  heads = newHeadReader()
  cache = await LibraryCache.open(session)
  words = await openWordStore(session)
  const kept = (await cache?.load()) ?? null
  if (kept) tellKept(kept)
  else say({ kind: 'kept', records: [], order: [], savedAt: null })
  if (pages) changes.request()
}

function tellKept(kept: Kept): void {
  version = pages ? kept.version : null
  known = new Set(kept.order)
  for (const source of kept.sources) setName(source)
  const retention = retentionMs(session.environment)
  const records = kept.sources.map((source) => recordOf(source, retention))
  for (const record of records) if (record.percent === 100) finished.add(record.id)
  say({ kind: 'kept', records, order: kept.order, savedAt: kept.savedAt })
}

async function readInPages(): Promise<void> {
  if (version !== null) {
    version = await readChanges(session, version, (rows, deleted) => {
      for (const record of rows.records) keep(sourceOf(record))
      drop(deleted)
      say({ kind: 'removed', ids: deleted })
      say({ kind: 'records', ...rows })
    })
  }
  if (version === null) await readEverything()
  else tellComplete(null)
  flushSoon()
}

/** All ids of the account are known: what is kept of others goes. */
async function dropOthers(present: ReadonlySet<string>): Promise<void> {
  const kept = (await words?.names().catch(() => [])) ?? []
  drop([...known, ...kept].filter((id) => !present.has(id)))
}

async function readEverything(): Promise<void> {
  const ids: string[] = []
  version = await readAllPages(session, (rows, total) => {
    for (const record of rows.records) keep(sourceOf(record))
    ids.push(...rows.records.map(({ id }) => id), ...rows.problems.map(({ id }) => id))
    say({ kind: 'total', total })
    say({ kind: 'records', ...rows })
  })
  const present = new Set(ids)
  await dropOthers(present)
  tellComplete(ids)
}

async function readIds(ids: string[]): Promise<void> {
  const present = new Set(ids)
  await dropOthers(present)
  known = present
  heads.read(ids.filter((id) => !finished.has(id) && !readNow.has(id)))
  await heads.whenIdle()
  handOver()
  tellComplete(null)
}

function take(message: ToWorker): void {
  if (message.kind === 'ids') void readIds(message.ids)
  else if (message.kind === 'remove') drop(message.ids)
  else if (message.kind === 'changes') changes.request()
  else if (message.kind === 'put') {
    for (const source of message.sources) {
      heads.forget(source.id)
      keep(source)
    }
  }
}

async function end(): Promise<void> {
  heads.close()
  await cache?.flush([...known], version)
  close()
}

// One message at a time, so that nothing is taken before the cache is open.
let queue: Promise<void> = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  queue = queue.then(() => {
    if (data.kind === 'open') return open(data.session, data.pages)
    return data.kind === 'close' ? end() : take(data)
  })
})

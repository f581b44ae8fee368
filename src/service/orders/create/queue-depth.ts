import { setImmediate as untilOthersWent } from 'node:timers/promises'
import type { HeardSound } from '../../../contract/account/file-pages.ts'
import type { QueuePlace } from '../../../contract/account/queue.ts'
import { longestSectionMs } from '../../../contract/interface/limits.ts'
import type { Db } from '../../platform/db/open.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'

/** An order that is being recognized or queued for it. */
export type Queued = { id: string; accountId: string; createdAt: number; leftMs: number }

function isOlder(one: Queued, other: Queued): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id)
}

/** An order that does not exist yet: last among those of its account. */
function newOrder(accountId: string, durationMs: number): Queued {
  return { id: '', accountId, createdAt: Number.POSITIVE_INFINITY, leftMs: durationMs }
}

/** Assumed speed, in seconds of audio per second, until measured: no engine should be slower. */
const assumedPace = 1

/** How long the queue is cached, however many requests need it. Milliseconds. */
const keptForMs = 2_000
const rowsAtOnce = 200

/** Voices that are recognized one after the other; until the recording is decoded, the fewest there may be. */
function countQueuedVoices({ sound, heard_json }: Pick<FileRow, 'sound' | 'heard_json'>): number {
  const heard: HeardSound | null = heard_json === null ? null : JSON.parse(heard_json)
  return heard?.voices?.length ?? (sound === 'each' ? 2 : 1)
}

/** All orders being recognized or queued, oldest first. Other requests run between the pages. */
async function readQueue(db: Db): Promise<Queued[]> {
  const found = new Map<string, Queued>()
  for (let after = '', more = true; more; await untilOthersWent()) {
    const rows = await db
      .selectFrom('jobs')
      .innerJoin('files', 'files.id', 'jobs.file_id')
      .leftJoin('recognitions', 'recognitions.file_id', 'files.id')
      .select(['jobs.id as job', 'files.id', 'files.account_id', 'files.created_at', 'duration_ms', 'heard_ms'])
      .select(['files.sound', 'files.heard_json'])
      .where('jobs.kind', '=', 'speech')
      .where('files.given_up', '=', 0)
      .where('jobs.id', '>', after)
      .orderBy('jobs.id')
      .limit(rowsAtOnce)
      .execute()
    for (const { id, account_id, created_at, duration_ms, heard_ms, ...sound } of rows) {
      const leftMs = Math.max(0, duration_ms * countQueuedVoices(sound) - (heard_ms ?? 0))
      found.set(id, { id, accountId: account_id, createdAt: created_at, leftMs })
    }
    more = rows.length === rowsAtOnce
    after = rows.at(-1)?.job ?? after
  }
  return [...found.values()].sort((one, other) => (isOlder(one, other) ? -1 : 1))
}

const kept = new WeakMap<Db, { at: number; queue: Promise<Queued[]> }>()

function selectQueue(db: Db): Promise<Queued[]> {
  const now = performance.now()
  const known = kept.get(db)
  if (known !== undefined && now - known.at < keptForMs) return known.queue
  const queue = readQueue(db)
  kept.set(db, { at: now, queue })
  queue.catch(() => kept.delete(db))
  return queue
}

/** Adds an order just created, so that each of many orders in quick succession is promised after the one before. */
export function countOrder(db: Db, order: Queued): void {
  kept.get(db)?.queue.then(
    (queue) => void (queue.some(({ id }) => id === order.id) || queue.push(order)),
    () => undefined,
  )
}

/**
 * The work ahead of an order until it is ready, itself included. Accounts are served round-robin, by sections (decision
 * 100), so each other account gets at most as much as this one in that time; the account's own orders run by age.
 * @param own as it is in the queue, or would be
 * @returns sound in milliseconds, and how many orders are ready before it
 */
export function sumAhead(queue: readonly Queued[], own: Queued): { soundMs: number; orders: number } {
  const others = queue.filter(({ id }) => id !== own.id)
  const mine = others.filter((one) => one.accountId === own.accountId && isOlder(one, own))
  const share = mine.reduce((sum, { leftMs }) => sum + leftMs, own.leftMs)
  let [soundMs, orders] = [share, mine.length]
  const heardOf = new Map<string, number>()
  for (const { accountId, leftMs } of others) {
    if (accountId === own.accountId) continue
    const before = heardOf.get(accountId) ?? 0
    heardOf.set(accountId, before + leftMs)
    soundMs += Math.max(0, Math.min(leftMs, share - before))
    if (before + leftMs <= share) orders += 1
  }
  return { soundMs, orders }
}

/** Seconds of audio recognized per second, by all processes together and for one section. */
type Pace = { ofAll: number; ofSection: number }

/** @returns null if no process recognizes anything */
async function readPace({ nodes, config }: Pick<Platform, 'nodes' | 'config'>): Promise<Pace | null> {
  const sections = (await nodes.hearing()) * config.workerParallel
  if (sections === 0) return null
  const ofAll = nodes.pace ?? sections * assumedPace
  // However many sections are recognized concurrently, each is by one process.
  return { ofAll, ofSection: ofAll / sections }
}

/** The queue position reported for an order. @param own as it is in the queue, or would be */
export async function queuePosition(
  platform: Pick<Platform, 'nodes' | 'config'>,
  queue: readonly Queued[],
  own: Queued,
): Promise<QueuePlace> {
  const pace = await readPace(platform)
  if (pace === null) return null
  const { soundMs, orders } = sumAhead(queue, own)
  const longestMs = Math.min(own.leftMs, longestSectionMs)
  const aboutMs = Math.max(soundMs / pace.ofAll, longestMs / pace.ofSection)
  return { orders_before: orders, about_seconds: Math.ceil(aboutMs / 1_000) }
}

/** The queue position of an order created now. @param durationMs of its recording */
export async function placeOfNew(platform: Platform, accountId: string, durationMs: number): Promise<QueuePlace> {
  return await queuePosition(platform, await selectQueue(platform.db), newOrder(accountId, durationMs))
}

/** The queue position of a file; null if it is neither being recognized nor queued. */
export async function placeOfFile(platform: Platform, fileId: string): Promise<QueuePlace> {
  const queue = await selectQueue(platform.db)
  const own = queue.find(({ id }) => id === fileId)
  return own === undefined ? null : await queuePosition(platform, queue, own)
}

/** How long an order waits for earlier ones, in milliseconds; 0 if no process recognizes anything. */
async function estimateWait(platform: Platform, queue: readonly Queued[], own: Queued): Promise<number> {
  const pace = await readPace(platform)
  return pace === null ? 0 : Math.round((sumAhead(queue, own).soundMs - own.leftMs) / pace.ofAll)
}

/** How long a file waits for earlier orders, in milliseconds; 0 if it is not recognized. */
export async function waitOfFile(platform: Platform, fileId: string): Promise<number> {
  const queue = await selectQueue(platform.db)
  const own = queue.find(({ id }) => id === fileId)
  return own === undefined ? 0 : await estimateWait(platform, queue, own)
}

/** How long an order created now waits for earlier ones, in milliseconds. */
export async function waitOfNew(platform: Platform, accountId: string, durationMs: number): Promise<number> {
  return await estimateWait(platform, await selectQueue(platform.db), newOrder(accountId, durationMs))
}

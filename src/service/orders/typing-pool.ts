import type { Job } from '../db/schema.ts'
import type { Platform } from '../platform.ts'
import type { JobEnd, JobKind } from '../queue/worker.ts'
import { finishFile, setProgress } from './progress.ts'

/*
 * The sandbox's typing pool (decision 12). Nobody types there: the pool reveals the recogniser's text on a time-lapse
 * clock, so that an integrator sees a manual order go 0 → 60 → 100 in a minute instead of three days. The account
 * interface says so (`features.manual_typing`). Live orders are never typed here.
 */

/** Progress moves in these steps, so that 60, from where deletion is locked, is one of them. */
const stepPercent = 10
const steps = 100 / stepPercent
const shortestStepMs = 4_000
/** A long recording is typed at twenty times its own speed. */
const timeLapse = 20
const wordsWaitMs = 1_000
const catchUpMs = 1_500
/** A step costs no more than an update of a row. */
const parallel = 20

/** How long one step takes, in milliseconds of the service's clock. */
export function typingStepMs(durationMs: number, speed: number): number {
  return Math.max(shortestStepMs, durationMs / timeLapse / steps) / speed
}

/** How much of a recording is recognised, 0 to 100: typing cannot be ahead of it. */
async function heardPercent({ db, blobs }: Platform, fileId: string, durationMs: number): Promise<number> {
  if ((await blobs.size(fileId, 'words.json')) !== null) return 100
  const { heardMs } = await db
    .selectFrom('pieces')
    .select((eb) => eb.fn.max('end_ms').as('heardMs'))
    .where('file_id', '=', fileId)
    .executeTakeFirstOrThrow()
  return Math.min(99, (100 * (heardMs ?? 0)) / durationMs)
}

async function type(platform: Platform, job: Job): Promise<JobEnd> {
  const { db, clock, config } = platform
  const fileId = job.file_id ?? ''
  const file = await db.selectFrom('files').selectAll().where('id', '=', fileId).executeTakeFirst()
  // Deleted, ready, or given up by the recogniser: nothing is left to type.
  if (file === undefined || file.progress_percent === 100 || file.given_up === 1) return { end: 'done' }
  const stepMs = typingStepMs(file.duration_ms, config.typingPoolSpeed)
  const elapsedMs = clock() - file.created_at
  const typed = Math.min(100, Math.floor(elapsedMs / stepMs) * stepPercent)
  const heard = await heardPercent(platform, fileId, file.duration_ms)
  const target = Math.floor(Math.min(typed, heard) / stepPercent) * stepPercent
  // One step at a time, also where the pool has to catch up, so that every step is seen.
  const next = Math.min(target, file.progress_percent + stepPercent)
  if (next === 100) {
    await finishFile(platform, fileId)
    return { end: 'done' }
  }
  await setProgress(platform, fileId, next)
  if (next < target) return { end: 'again', afterMs: catchUpMs / config.typingPoolSpeed }
  return { end: 'again', afterMs: typed > heard ? wordsWaitMs : stepMs - (elapsedMs % stepMs) }
}

/** The job kind `type`. */
export function typingPoolJob(platform: Platform): JobKind {
  return {
    parallel,
    run: (job) => type(platform, job),
    // Only the database can have failed here; the order stays as it is, and is late some time.
    gaveUp: async () => undefined,
  }
}

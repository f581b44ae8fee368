import { setTimeout as setTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import { countLost, renewEveryMs } from '../db/leases.ts'
import type { Db } from '../db/open.ts'
import type { Job } from '../db/schema.ts'
import { type AccountTrx, writeAccount } from '../db/write-account.ts'
import { StorageAwayError } from '../media/file-errors.ts'
import type { Platform } from '../platform.ts'
import { claimJob, countTakenOver, isClaimed, renewJobs } from './claim-job.ts'

/**
 * How a run of a job succeeded: it is done, or to be run again later. `also`: written in the transaction that removes
 * the job, unless another process has taken it over
 */
export type JobEnd = { end: 'done'; also?: (trx: AccountTrx) => Promise<void> } | { end: 'again'; afterMs: number }

/** A kind of work. */
export type JobKind = {
  /** concurrency limit */
  parallel: number
  /** which of its jobs this process may claim besides those that it runs; absent: all */
  only?(running: readonly Job[]): RawBuilder<boolean>
  /**
   * Does the job, or a part of it and returns `again`. If it throws, it is retried later.
   * @param signal aborted if the file was deleted or the service ends. Throw `signal.reason` then; the next run must
   *   find the work finished so far.
   */
  run(job: Job, signal: AbortSignal): Promise<JobEnd>
  /** Called when a job has failed for the last time. Its file, if any, must be left in a state that says so. */
  gaveUp(job: Job, error: unknown): Promise<void>
}

/** Failed or crashed runs before a job is given up. `again` resets the count. */
const maxAttempts = 10
const firstRetryMs = 5_000
const longestRetryMs = 5 * 60_000
/** Longest poll interval, for jobs that another process queued, or held when it died. */
const longestSleepMs = 5_000

type Running = { job: Job; abort: AbortController; settled: Promise<void> }

/**
 * Claims jobs from the table and runs them: with a concurrency limit per kind, fair between accounts. Jobs are leased,
 * so that another process, or the next start, continues those of a dead process.
 */
export class Worker {
  readonly #platform: Platform
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #running = new Map<string, Running>()
  readonly #unsubscribe: () => void
  readonly #renewing: NodeJS.Timeout
  #closed = false
  readonly #claiming: CoalescedTask
  #timer: NodeJS.Timeout | undefined

  /** @param kinds by the `kind` of jobs */
  constructor(platform: Platform, kinds: Readonly<Record<string, JobKind>>) {
    this.#platform = platform
    this.#kinds = new Map(Object.entries(kinds))
    this.#claiming = new CoalescedTask(
      () => this.#claimAll(),
      (error) => {
        platform.log.error({ err: error }, 'the job table could not be read; it will be retried')
        this.#sleep(firstRetryMs)
      },
    )
    this.#unsubscribe = platform.changes.subscribe((change) => {
      if (change.kind === 'job') this.#claiming.request()
      const ends = change.kind === 'work-ended' || (change.kind === 'file' && change.deleted === true)
      if (ends) this.#abortFile(change.fileId)
    })
    this.#renewing = setInterval(() => void this.#renew(), renewEveryMs).unref()
    this.#claiming.request()
  }

  #abortFile(fileId: string): void {
    for (const { job, abort } of this.#running.values()) if (job.file_id === fileId) abort.abort(workEnded())
  }

  /** Renews all leases; aborts jobs that another process has taken over, or that were removed with their file. */
  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    const running = [...this.#running.values()]
    try {
      const ours = await renewJobs(
        this.#platform.db,
        running.map(({ job }) => job),
      )
      const lost = running.filter(({ job }) => !ours.has(job.id))
      for (const { abort } of lost) abort.abort(workEnded())
      const ids = lost.map(({ job }) => job.id)
      countLost(await countTakenOver(this.#platform.db, ids))
    } catch (error) {
      this.#platform.log.warn({ err: error }, 'leases of jobs could not be renewed; they will be retried')
    }
  }

  async #claimAll(): Promise<void> {
    for (const [name, kind] of this.#kinds) await this.#claimFor(name, kind)
    await this.#sleepUntilNext()
  }

  async #claimFor(name: string, kind: JobKind): Promise<void> {
    while (!this.#closed && this.#runningOf(name).length < kind.parallel) {
      const job = await this.#claim(name)
      if (job === undefined) return
      this.#start(job, kind)
    }
  }

  #runningOf(kind: string): Job[] {
    return [...this.#running.values()].map(({ job }) => job).filter((job) => job.kind === kind)
  }

  async #claim(kind: string): Promise<Job | undefined> {
    const { db, clock, node } = this.#platform
    const only = this.#kinds.get(kind)?.only?.(this.#runningOf(kind))
    const job = await claimJob(db, kind, { node, running: [...this.#running.keys()], now: clock(), only })
    if (job === undefined) return undefined
    // Its file may have been deleted since, before this job could be notified.
    return (await isClaimed(db, job)) ? job : await this.#claim(kind)
  }

  #start(job: Job, kind: JobKind): void {
    const abort = new AbortController()
    const settled = this.#run(job, kind, abort.signal).finally(() => {
      this.#running.delete(job.id)
      this.#claiming.request()
    })
    this.#running.set(job.id, { job, abort, settled })
  }

  async #run(job: Job, kind: JobKind, signal: AbortSignal): Promise<void> {
    const { log } = this.#platform
    let settle: () => Promise<unknown>
    try {
      const end = await kind.run(job, signal)
      settle = end.end === 'done' ? () => this.#remove(job, end.also) : () => this.#putBack(job, end.afterMs, 0)
    } catch (error) {
      settle = () => this.#settleFailed(job, kind, error)
      if (!signal.aborted) {
        log.warn({ err: error, kind: job.kind, fileId: job.file_id, attempts: job.attempts }, 'a job failed')
      }
    }
    await this.#untilWritten(signal.aborted ? () => this.#settleAborted(job) : settle)
  }

  /** The end of a job must be stored, however long the database is locked or full; except when the service ends. */
  async #untilWritten(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write()
        return
      } catch (error) {
        this.#platform.log.warn({ err: error }, 'the end of a job could not be written; it will be retried')
        if (this.#closed) return
        await setTimeout(firstRetryMs, undefined, { ref: false })
      }
    }
  }

  async #remove({ id, fence, account_id }: Job, also: (JobEnd & { end: 'done' })['also']): Promise<void> {
    const { db, changes } = this.#platform
    const ours = (trx: Db) => trx.deleteFrom('jobs').where('id', '=', id).where('fence', '=', fence)
    if (also === undefined) {
      await ours(db).execute()
      return
    }
    await writeAccount(db, account_id, async (trx) => {
      const { numDeletedRows } = await ours(trx).executeTakeFirst()
      if (numDeletedRows > 0n) await also(trx)
    })
    changes.notify({ kind: 'job' })
  }

  async #putBack(job: Job, afterMs: number, attempts: number): Promise<void> {
    await this.#platform.db
      .updateTable('jobs')
      .set({ state: 'waiting', run_after: this.#platform.clock() + afterMs, attempts, leased_until: 0 })
      .where('id', '=', job.id)
      .where('fence', '=', job.fence)
      .execute()
  }

  async #settleFailed(job: Job, kind: JobKind, error: unknown): Promise<void> {
    // Not the job's fault: never a reason to give it up.
    if (error instanceof StorageAwayError) return this.#putBack(job, firstRetryMs, job.attempts - 1)
    if (job.attempts < maxAttempts) {
      return this.#putBack(job, Math.min(firstRetryMs * 2 ** (job.attempts - 1), longestRetryMs), job.attempts)
    }
    const ours = this.#platform.db.updateTable('jobs').where('id', '=', job.id).where('fence', '=', job.fence)
    const { numUpdatedRows } = await ours.set({ state: 'failed' }).executeTakeFirst()
    if (numUpdatedRows > 0n) await kind.gaveUp(job, error)
  }

  /**
   * After an abort by shutdown: another process, or the next start, continues. After an abort by deletion: removes what
   * it has written since.
   */
  async #settleAborted(job: Job): Promise<void> {
    await this.#putBack(job, 0, job.attempts - 1)
    if (job.file_id === null) return
    const { db, blobs } = this.#platform
    const file = await db.selectFrom('files').select('id').where('id', '=', job.file_id).executeTakeFirst()
    if (file !== undefined) return
    await db.deleteFrom('pieces').where('file_id', '=', job.file_id).execute()
    await blobs.remove(job.file_id)
  }

  async #sleepUntilNext(): Promise<void> {
    const { db, clock } = this.#platform
    const next = await db
      .selectFrom('jobs')
      .select('run_after')
      .where('state', '=', 'waiting')
      .where('run_after', '>', clock())
      .orderBy('run_after')
      .limit(1)
      .executeTakeFirst()
    this.#sleep(next === undefined ? longestSleepMs : Math.min(next.run_after - clock(), longestSleepMs))
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimer(() => this.#claiming.request(), ms).unref()
  }

  /** Claims no more, aborts running jobs (the next start resumes them) and waits for them to end. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#renewing)
    this.#unsubscribe()
    await this.#claiming.stop()
    for (const { abort } of this.#running.values()) abort.abort(new DOMException('The service ends.', 'AbortError'))
    await Promise.allSettled([...this.#running.values()].map(({ settled }) => settled))
    clearTimeout(this.#timer)
  }
}

/** Why a run is aborted: its file was deleted, its work ended, or another process has taken it over. */
function workEnded(): DOMException {
  return new DOMException('The file was deleted, or its work ended.', 'AbortError')
}

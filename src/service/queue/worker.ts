import { setTimeout as setTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { CoalescedTask } from '../../contract/coalesced-task.ts'
import type { Job } from '../db/schema.ts'
import type { Platform } from '../platform.ts'

/** How a run of a job succeeded: it is done, or to be run again later. */
export type JobEnd = { end: 'done' } | { end: 'again'; afterMs: number }

/** A kind of work. */
export type JobKind = {
  /** how many may run at once */
  parallel: number
  /**
   * Does the job, or a part of it and returns `again`. Where it throws, it is retried later.
   * @param signal aborted where the file was deleted or the service ends. Throw `signal.reason` then; the next run must
   * find what is finished so far.
   */
  run(job: Job, signal: AbortSignal): Promise<JobEnd>
  /** Called when a job has failed for the last time. Its file, if any, must be left in a state that says so. */
  gaveUp(job: Job, error: unknown): Promise<void>
}

/** Runs that may fail or be interrupted by a crash before a job is given up. `again` resets the count. */
const maxAttempts = 10
const firstRetryMs = 5_000
const longestRetryMs = 5 * 60_000
/** The table is polled at least this often, for jobs that another process queued. */
const longestSleepMs = 30_000

type Running = { job: Job; abort: AbortController; settled: Promise<void> }

/** Claims jobs from the table and runs them: so many of each kind, fair between accounts, resumed after a restart. */
export class Worker {
  readonly #platform: Platform
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #running = new Map<string, Running>()
  /** when each account last had a job claimed, counted in claims */
  readonly #servedAt = new Map<string, number>()
  readonly #unsubscribe: () => void
  #turn = 0
  #closed = false
  readonly #claiming: CoalescedTask
  #timer: NodeJS.Timeout | undefined

  constructor(platform: Platform, kinds: ReadonlyMap<string, JobKind>) {
    this.#platform = platform
    this.#kinds = kinds
    this.#claiming = new CoalescedTask(
      () => this.#claimAll(),
      (error) => {
        platform.log.error({ err: error }, 'the job table could not be read; it is tried again')
        this.#sleep(firstRetryMs)
      },
    )
    this.#unsubscribe = platform.changes.subscribe((change) => {
      if (change.kind === 'job') this.#claiming.request()
      const ends = change.kind === 'work-ended' || (change.kind === 'file' && change.deleted === true)
      if (ends) this.#abortFile(change.fileId)
    })
    this.#claiming.request()
  }

  #abortFile(fileId: string): void {
    for (const { job, abort } of this.#running.values()) {
      if (job.file_id === fileId)
        abort.abort(new DOMException('The file was deleted, or its work ended.', 'AbortError'))
    }
  }

  async #claimAll(): Promise<void> {
    for (const [name, kind] of this.#kinds) await this.#claimFor(name, kind)
    await this.#sleepUntilNext()
  }

  async #claimFor(name: string, kind: JobKind): Promise<void> {
    while (!this.#closed && this.#countRunning(name) < kind.parallel) {
      const job = await this.#claim(name)
      if (job === undefined) return
      this.#start(job, kind)
    }
  }

  #countRunning(kind: string, accountId?: string): number {
    return [...this.#running.values()].filter(
      ({ job }) => job.kind === kind && (accountId === undefined || job.account_id === accountId),
    ).length
  }

  /** Claims a job of the account with the fewest running ones; among several, of the one that has waited longest. */
  async #claim(kind: string): Promise<Job | undefined> {
    const { db, clock } = this.#platform
    const due = db
      .selectFrom('jobs')
      .where('state', '=', 'waiting')
      .where('run_after', '<=', clock())
      .where('kind', '=', kind)
    const accounts = await due.select('account_id').distinct().execute()
    const [next] = accounts
      .map(({ account_id: id }) => ({ id, busy: this.#countRunning(kind, id), at: this.#servedAt.get(id) ?? 0 }))
      .sort((a, b) => a.busy - b.busy || a.at - b.at)
    if (next === undefined) return undefined
    const oldest = due.select('id').where('account_id', '=', next.id).orderBy('created_at').orderBy('id').limit(1)
    const job = await db
      .updateTable('jobs')
      .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1) }))
      .where('id', '=', oldest)
      .returningAll()
      .executeTakeFirst()
    this.#turn += 1
    this.#servedAt.set(next.id, this.#turn)
    return job
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
    const { log, db } = this.#platform
    let settle: () => Promise<unknown>
    try {
      const end = await kind.run(job, signal)
      settle =
        end.end === 'done'
          ? () => db.deleteFrom('jobs').where('id', '=', job.id).execute()
          : () => this.#putBack(job, end.afterMs, 0)
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
        this.#platform.log.warn({ err: error }, 'the end of a job could not be written; it is tried again')
        if (this.#closed) return
        await setTimeout(firstRetryMs, undefined, { ref: false })
      }
    }
  }

  async #putBack(job: Job, afterMs: number, attempts: number): Promise<void> {
    await this.#platform.db
      .updateTable('jobs')
      .set({ state: 'waiting', run_after: this.#platform.clock() + afterMs, attempts })
      .where('id', '=', job.id)
      .execute()
  }

  async #settleFailed(job: Job, kind: JobKind, error: unknown): Promise<void> {
    if (job.attempts < maxAttempts) {
      return this.#putBack(job, Math.min(firstRetryMs * 2 ** (job.attempts - 1), longestRetryMs), job.attempts)
    }
    await this.#platform.db.updateTable('jobs').set({ state: 'failed' }).where('id', '=', job.id).execute()
    await kind.gaveUp(job, error)
  }

  /**
   * Aborted as the service ends: the next start resumes it. Aborted as its file was deleted: removes what it wrote
   * since.
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
    this.#unsubscribe()
    await this.#claiming.stop()
    for (const { abort } of this.#running.values()) abort.abort(new DOMException('The service ends.', 'AbortError'))
    await Promise.allSettled([...this.#running.values()].map(({ settled }) => settled))
    clearTimeout(this.#timer)
  }
}

/**
 * Starts to run jobs. Those that a crash has left as running wait again.
 * @param kinds by the `kind` of jobs
 */
export async function startWorker(platform: Platform, kinds: Readonly<Record<string, JobKind>>): Promise<Worker> {
  await platform.db.updateTable('jobs').set({ state: 'waiting' }).where('state', '=', 'running').execute()
  return new Worker(platform, new Map(Object.entries(kinds)))
}

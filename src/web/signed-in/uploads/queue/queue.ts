import { ApiError, type Credentials } from '../../../base/api/client.ts'
import { Signal } from '../../../base/state/signal.ts'
import { type Agreement, type Hold, isOwnedBy, lacksFile, type Owner, type Upload } from '../tray/upload.ts'
import { attempt, explainFailure, failIfFound, type Running } from './attempt.ts'
import type { Abilities, QueuePorts, QueueState } from './queue-ports.ts'
import { mayHaveArrived, progress, shownProgress, startTransfer } from './transfer.ts'
import { isPassing, stopsQueue, type UploadFailure } from './upload-failure.ts'

/** Progress update interval: more often would take processor time from the upload and help nobody. */
const shownEveryMs = 500

/** Backoff after an attempt that can be repeated at no cost. Milliseconds. */
const firstRetryMs = 1_000
const mostRetryMs = 60_000

/** Sends waiting uploads, `limit` at a time. Never gives up on a slow one and never sends one twice concurrently. */
export class UploadQueue {
  readonly #ports: QueuePorts
  readonly #running = new Map<string, Running>()
  readonly state = new Signal<QueueState>({ paused: false, stoppedBy: null, unreachable: false, breakMs: 0 })
  readonly #limit: number
  /** uploads whose last attempt failed: consecutive failures, and when the next attempt may begin */
  readonly #retries = new Map<string, { tries: number; at: number }>()
  #stopPublishing: (() => void) | null = null
  #busyUntil = 0
  #isPumping = false

  constructor(ports: QueuePorts, limit = 2) {
    this.#ports = ports
    this.#limit = limit
  }

  #set(change: Partial<QueueState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }

  /** Moves uploads from the tray to the queue, by id, under their agreements. */
  order(agreements: ReadonlyMap<string, Agreement>): void {
    this.#ports.uploads.change([...agreements.keys()], ({ id }) => ({
      agreement: agreements.get(id) ?? null,
      state: { is: 'waiting', hold: 'turn' },
    }))
    this.#set({ paused: false, stoppedBy: null })
    this.pump()
  }

  /** Retries failed uploads under their Idempotency-Keys. */
  retry(ids: readonly string[]): void {
    this.#ports.uploads.change(ids, (upload) =>
      upload.state.is === 'failed' ? { state: { is: 'waiting', hold: 'turn' } } : {},
    )
    this.#unpause()
  }

  /** Aborts uploads and removes them. One whose bytes are all sent cannot be recalled and stays. */
  cancel(ids: readonly string[]): void {
    const uploads = ids.map((id) => this.#ports.uploads.get(id)).filter((upload) => upload !== null)
    const removed = uploads.filter((upload) => upload.state.is !== 'confirming').map(({ id }) => id)
    this.#ports.uploads.remove(removed)
    for (const id of removed) this.#abort(id, 'removed')
    this.pump()
  }

  /** Holds waiting uploads, and running ones that can resume from the same byte. */
  pause(): void {
    this.#set({ paused: true })
    for (const [id, running] of this.#running) if (running.resumes && !running.transfer.isSent) this.#abort(id, 'held')
    this.pump()
  }

  resume(): void {
    this.#unpause()
  }

  #unpause(): void {
    this.#retries.clear()
    this.#set({ paused: false, stoppedBy: null })
    this.pump()
  }

  /** Stops sending with the key of a signed-out account; its uploads wait for the next sign-in. */
  hold(owner: Owner): void {
    for (const [id, running] of this.#running) {
      if (isOwnedBy(running, owner)) this.#abort(id, 'held')
    }
    this.pump()
  }

  #abort(id: string, why: 'removed' | 'held'): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    running.why = why
    running.controller.abort()
  }

  #holdOf(upload: Upload): Hold {
    if (this.state.get().paused) return 'paused'
    if (!this.#ports.isOnline()) return 'offline'
    if (this.#ports.credentialsOf(upload.owner) === null) return 'signed-out'
    if (lacksFile(upload)) return 'file-needed'
    if (this.state.get().unreachable) return 'unreachable'
    if (this.#ports.now() < (this.#retries.get(upload.id)?.at ?? 0)) return 'retry'
    return this.#ports.now() < this.#busyUntil ? 'busy' : 'turn'
  }

  /** Starts eligible uploads and records why the rest wait. Called after every event that could matter. */
  pump(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    for (const upload of this.#ports.uploads.all()) {
      if (upload.state.is !== 'waiting' || this.#running.has(upload.id)) continue
      const hold = this.#holdOf(upload)
      if (hold === 'turn' && this.#running.size < this.#limit) void this.#run(upload)
      else if (hold !== upload.state.hold) this.#ports.uploads.change([upload.id], { state: { is: 'waiting', hold } })
    }
    this.#isPumping = false
  }

  async #run(upload: Upload): Promise<void> {
    const credentials = this.#ports.credentialsOf(upload.owner)
    if (credentials === null || upload.agreement === null) return
    const abilities = this.#ports.makeAbilities(upload.owner)
    const now = this.#ports.now()
    const running: Running = {
      controller: new AbortController(),
      transfer: startTransfer(now, upload.bytes),
      owner: upload.owner,
      resumes: abilities.resumes,
      unclearBefore: upload.unclearSince,
      why: null,
    }
    this.#running.set(upload.id, running)
    this.#publishProgress()
    try {
      await attempt(this.#ports, { ...upload, agreement: upload.agreement }, credentials, abilities, running)
      this.#retries.delete(upload.id)
    } catch (error) {
      await this.#settle(upload.id, credentials, abilities, running, error)
    } finally {
      this.#running.delete(upload.id)
      if (this.#running.size === 0) this.#publishProgress()
      this.pump()
    }
  }

  /** Decides what a failed attempt means for the upload and the queue: retry, wait or fail. */
  async #settle(
    id: string,
    credentials: Credentials,
    abilities: Abilities,
    running: Running,
    error: unknown,
  ): Promise<void> {
    const { uploads } = this.#ports
    const upload = uploads.get(id)
    if (upload === null || running.why === 'removed') return
    if (running.why === 'held') return this.#requeue(id, running)
    const failure = await explainFailure(upload, running.transfer, error)
    if (failure.kind === 'unclear' || failure.kind === 'dropped') {
      uploads.change([id], { unclearSince: failure.kind === 'unclear' ? upload.unclearSince : running.unclearBefore })
      this.#holdUntilReachable()
      // Ask the user only if a retry may cost something.
      const mayCost = failure.kind === 'unclear' && !abilities.knowsKeys
      return mayCost ? await this.#resolveUnclear(upload, credentials) : this.#retryLater(id, running)
    }
    uploads.change([id], { unclearSince: running.unclearBefore })
    if (error instanceof ApiError && (error.status === 429 || error.status === 503)) {
      this.#holdFor(error.retryAfterMs ?? 5_000)
      return this.#requeue(id, running)
    }
    if (isPassing(failure) && abilities.knowsKeys) return this.#retryLater(id, running)
    this.#fail(id, failure)
    if (stopsQueue(failure)) this.#set({ paused: true, stoppedBy: failure })
  }

  /** For services without Idempotency-Key: checks their list for the order, before a retry is offered. */
  async #resolveUnclear(upload: Upload, credentials: Credentials): Promise<void> {
    this.#ports.uploads.change([upload.id], { state: { is: 'checking' } })
    // If it stays unreachable, the request below fails and says so.
    await this.#ports.untilReachable(AbortSignal.timeout(30_000)).catch(() => undefined)
    try {
      if (await failIfFound(this.#ports, upload, credentials)) return
      this.#ports.uploads.change([upload.id], { unclearSince: null })
      this.#fail(upload.id, { kind: 'absent' })
    } catch {
      // Still no response: the next attempt checks first, since `unclearSince` is set.
      this.#fail(upload.id, { kind: 'unclear' })
    }
  }

  /** Retries automatically with growing delays, until it succeeds or is stopped. */
  #retryLater(id: string, running: Running): void {
    const tries = (this.#retries.get(id)?.tries ?? 0) + 1
    const waitMs = Math.min(mostRetryMs, firstRetryMs * 2 ** (tries - 1))
    this.#retries.set(id, { tries, at: this.#ports.now() + waitMs })
    this.#pumpAfter(waitMs)
    this.#requeue(id, running)
  }

  #requeue(id: string, running: Running): void {
    const isUnclear = mayHaveArrived(running.transfer)
    this.#ports.uploads.change([id], (upload) => ({
      state: { is: 'waiting', hold: this.#holdOf(upload) },
      unclearSince: isUnclear ? upload.unclearSince : running.unclearBefore,
    }))
  }

  #fail(id: string, failure: UploadFailure): void {
    this.#ports.uploads.change([id], { state: { is: 'failed', failure } })
  }

  /** Holds the rest until the service responds again, instead of failing every upload in turn. */
  #holdUntilReachable(): void {
    if (this.state.get().unreachable) return
    this.#set({ unreachable: true })
    void this.#ports.untilReachable(new AbortController().signal).finally(() => {
      this.#set({ unreachable: false })
      this.pump()
    })
  }

  #holdFor(ms: number): void {
    this.#busyUntil = this.#ports.now() + ms
    this.#set({ breakMs: ms })
    this.#pumpAfter(ms)
  }

  #pumpAfter(ms: number): void {
    const stop = this.#ports.every(ms + 10, () => {
      stop()
      this.pump()
    })
  }

  /** Publishes progress at intervals while uploads are running. */
  #publishProgress(): void {
    this.#stopPublishing?.()
    this.#stopPublishing = null
    if (this.#running.size === 0) return
    this.#stopPublishing = this.#ports.every(shownEveryMs, () => {
      const now = this.#ports.now()
      for (const [id, running] of this.#running) {
        if (this.#ports.uploads.get(id)?.state.is !== 'sending') continue
        running.transfer = progress(running.transfer, now, running.transfer.sentBytes)
        this.#ports.uploads.change([id], (upload) => shownProgress(upload, running.transfer, now))
      }
    })
  }
}

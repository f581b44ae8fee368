import { ApiError, type Credentials } from '../../api/client.ts'
import { Signal } from '../../state/signal.ts'
import type { Agreement, Hold, Line, Owner } from '../tray/line.ts'
import { attempt, failureOf, isThere, type Running } from './attempt.ts'
import { type Failure, stopsQueue } from './failure.ts'
import type { Abilities, QueuePorts, QueueState } from './queue-ports.ts'
import { mayHaveArrived, progress, sendingState, startTransfer } from './transfer.ts'

/** Progress is shown this often: what is smoother than the eye costs the upload its processor. */
const shownEveryMs = 500

/** Sends waiting lines, `limit` at a time. It never gives up on a slow line and never sends a line twice at once. */
export class UploadQueue {
  readonly #ports: QueuePorts
  readonly #running = new Map<string, Running>()
  readonly state = new Signal<QueueState>({ paused: false, stoppedBy: null, unreachable: false, breakMs: 0 })
  #limit = 2
  #stopTicking: (() => void) | null = null
  #busyUntil = 0
  #isPumping = false

  constructor(ports: QueuePorts) {
    this.#ports = ports
  }

  #set(change: Partial<QueueState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }

  /** How many lines are sent at once. */
  setLimit(limit: number): void {
    this.#limit = Math.max(1, limit)
    this.pump()
  }

  /** Takes lines out of the tray and sends them as agreed. */
  order(ids: readonly string[], agree: (line: Line) => Agreement): void {
    this.#ports.lines.change(ids, (line) => ({ agreement: agree(line), state: { is: 'waiting', hold: 'turn' } }))
    this.#set({ paused: false, stoppedBy: null })
    this.pump()
  }

  /** Tries failed lines again, with the keys they had. */
  retry(ids: readonly string[]): void {
    this.#ports.lines.change(ids, (line) =>
      line.state.is === 'failed' ? { state: { is: 'waiting', hold: 'turn' } } : {},
    )
    this.#set({ paused: false, stoppedBy: null })
    this.pump()
  }

  /** Stops lines and forgets them. A line that waits for its confirmation cannot be called back and stays. */
  cancel(ids: readonly string[]): void {
    const lines = ids.map((id) => this.#ports.lines.get(id)).filter((line) => line !== null)
    const gone = lines.filter((line) => line.state.is !== 'confirming').map(({ id }) => id)
    this.#ports.lines.remove(gone)
    for (const id of gone) this.#abort(id, 'removed')
    this.pump()
  }

  /** Holds what waits; what is being sent is held too where it can go on later from the same byte. */
  pause(): void {
    this.#set({ paused: true })
    for (const [id, running] of this.#running) if (running.resumes && !running.transfer.isSent) this.#abort(id, 'held')
    this.pump()
  }

  resume(): void {
    this.#set({ paused: false, stoppedBy: null })
    this.pump()
  }

  /** Stops sending with the key of an account that signs out; its lines wait for the next sign-in. */
  hold(owner: Owner): void {
    for (const [id, running] of this.#running) {
      if (running.owner.account === owner.account && running.owner.environment === owner.environment)
        this.#abort(id, 'held')
    }
    this.pump()
  }

  #abort(id: string, why: 'removed' | 'held'): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    running.why = why
    running.controller.abort()
  }

  #holdOf(line: Line): Hold {
    if (this.state.get().paused) return 'paused'
    if (!this.#ports.isOnline()) return 'offline'
    if (this.#ports.credentialsOf(line.owner) === null) return 'signed-out'
    if (line.source.kind === 'file' && line.source.file === null) return 'file-needed'
    if (this.state.get().unreachable) return 'unreachable'
    return this.#ports.now() < this.#busyUntil ? 'busy' : 'turn'
  }

  /** Starts what may start and says of the rest why it waits. Called after everything that could matter. */
  pump(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    for (const line of this.#ports.lines.all()) {
      if (line.state.is !== 'waiting' || this.#running.has(line.id)) continue
      const hold = this.#holdOf(line)
      if (hold === 'turn' && this.#running.size < this.#limit) void this.#run(line)
      else if (hold !== line.state.hold) this.#ports.lines.change([line.id], { state: { is: 'waiting', hold } })
    }
    this.#isPumping = false
  }

  async #run(line: Line): Promise<void> {
    const credentials = this.#ports.credentialsOf(line.owner)
    if (credentials === null || line.agreement === null) return
    const abilities = this.#ports.abilitiesOf(line.owner)
    const now = this.#ports.now()
    const running: Running = {
      controller: new AbortController(),
      transfer: startTransfer(now, line.bytes),
      owner: line.owner,
      resumes: abilities.resumes,
      why: null,
    }
    this.#running.set(line.id, running)
    this.#tick()
    try {
      await attempt(this.#ports, { ...line, agreement: line.agreement }, credentials, abilities, running)
    } catch (error) {
      await this.#settle(line.id, credentials, abilities, running, error)
    } finally {
      this.#running.delete(line.id)
      if (this.#running.size === 0) this.#tick()
      this.pump()
    }
  }

  /** What an attempt's error means for the line, and for the queue. */
  async #settle(
    id: string,
    credentials: Credentials,
    abilities: Abilities,
    running: Running,
    error: unknown,
  ): Promise<void> {
    const { lines } = this.#ports
    const line = lines.get(id)
    if (line === null || running.why === 'removed') return
    if (running.why === 'held') return this.#wait(id, running)
    const failure = await failureOf(line, running.transfer, error)
    if (failure.kind === 'unclear' || failure.kind === 'dropped') {
      lines.change([id], { unclearSince: failure.kind === 'unclear' ? line.unclearSince : null })
      this.#unreachable()
      const comesBack = !this.#ports.isOnline() || (abilities.resumes && line.resumeUrl !== null)
      if (comesBack && (abilities.knowsKeys || failure.kind === 'dropped')) return this.#wait(id, running)
      if (failure.kind === 'unclear' && !abilities.knowsKeys) return this.#clear(line, credentials)
      const resumable = abilities.resumes && line.resumeUrl !== null
      return this.#fail(id, failure.kind === 'dropped' ? { ...failure, resumable } : failure)
    }
    lines.change([id], { unclearSince: null })
    if (error instanceof ApiError && (error.status === 429 || error.status === 503)) {
      this.#busyFor(error.retryAfterMs ?? 5_000)
      return this.#wait(id, running)
    }
    this.#fail(id, failure)
    if (stopsQueue(failure)) this.#set({ paused: true, stoppedBy: failure })
  }

  /** A service without keys: its list says whether the order exists, before trying again is offered. */
  async #clear(line: Line, credentials: Credentials): Promise<void> {
    this.#ports.lines.change([line.id], { state: { is: 'checking' } })
    await this.#ports.untilReachable(AbortSignal.timeout(30_000)).catch(() => undefined)
    try {
      if (await isThere(this.#ports, line, credentials)) return
      this.#ports.lines.change([line.id], { unclearSince: null })
      this.#fail(line.id, { kind: 'absent' })
    } catch {
      // Still no answer: the next try asks first, since `unclearSince` stands.
      this.#fail(line.id, { kind: 'unclear' })
    }
  }

  #wait(id: string, running: Running): void {
    const isUnclear = mayHaveArrived(running.transfer)
    this.#ports.lines.change([id], (line) => ({
      state: { is: 'waiting', hold: this.#holdOf(line) },
      unclearSince: isUnclear ? line.unclearSince : null,
    }))
  }

  #fail(id: string, failure: Failure): void {
    this.#ports.lines.change([id], { state: { is: 'failed', failure } })
  }

  /** Holds the rest until the service answers again, instead of failing every line in turn. */
  #unreachable(): void {
    if (this.state.get().unreachable) return
    this.#set({ unreachable: true })
    void this.#ports.untilReachable(new AbortController().signal).finally(() => {
      this.#set({ unreachable: false })
      this.pump()
    })
  }

  #busyFor(ms: number): void {
    this.#busyUntil = this.#ports.now() + ms
    this.#set({ breakMs: ms })
    const stop = this.#ports.every(ms + 10, () => {
      stop()
      this.pump()
    })
  }

  /** Shows progress while something runs, and only then. */
  #tick(): void {
    this.#stopTicking?.()
    this.#stopTicking = null
    if (this.#running.size === 0) return
    this.#stopTicking = this.#ports.every(shownEveryMs, () => {
      const now = this.#ports.now()
      for (const [id, running] of this.#running) {
        if (this.#ports.lines.get(id)?.state.is !== 'sending') continue
        running.transfer = progress(running.transfer, now, running.transfer.sentBytes)
        this.#ports.lines.change([id], { state: sendingState(running.transfer, now) })
      }
    })
  }
}

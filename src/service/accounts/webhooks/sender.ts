import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import type { Delivery } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Attempt } from './attempt.ts'
import { attemptDelivery } from './attempt.ts'
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts'
import type { Dispatch } from './delivery-request.ts'
import { recordAttempt } from './record-attempt.ts'

/** Concurrency limit of this process. */
const totalLimit = 1_000
const claimedAtOnce = 200
/** Longest poll interval: another process may have queued deliveries or set the webhook. */
const pollEveryMs = 1_000

/** The parts of the platform that the sender needs. */
export type SenderPlatform = Pick<Platform, 'db' | 'changes' | 'clock' | 'log' | 'node'>

/**
 * Sends the deliveries queued by `enqueueDelivery` (spec 6, decision 9): at each change of a file, and once a second
 * for due retries. Limits concurrency to one attempt per file and a few per account, so that hanging receivers delay
 * nobody else.
 */
export class WebhookSender {
  readonly #platform: SenderPlatform
  readonly #dispatch: Dispatch
  readonly #random: () => number
  readonly #stop = new AbortController()
  readonly #tries = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #unsubscribe: (() => void) | null = null
  readonly #claiming: CoalescedTask

  constructor(platform: SenderPlatform, dispatch: Dispatch, random: () => number = Math.random) {
    this.#platform = platform
    this.#dispatch = dispatch
    this.#random = random
    this.#claiming = new CoalescedTask(
      () => this.#sendDue(),
      // A locked or full database: the next poll, a second later, retries.
      (error) => platform.log.warn({ err: error }, 'webhook deliveries could not be read'),
    )
  }

  /** Starts sending. */
  start(): void {
    this.#unsubscribe = this.#platform.changes.subscribe(({ kind }) => {
      if (kind === 'file' || kind === 'delivery') this.wake()
    })
    this.#timer = setInterval(() => this.wake(), pollEveryMs)
    this.wake()
  }

  /** Claims no more and aborts attempts in progress; another process, or the next start, repeats them. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#stop.abort()
    await this.#claiming.stop()
    await Promise.all(this.#tries)
  }

  /** Sends due deliveries now, or again after the claim in progress. */
  wake(): void {
    this.#claiming.request()
  }

  async #sendDue(): Promise<void> {
    const room = Math.min(totalLimit - this.#tries.size, claimedAtOnce)
    if (room <= 0) return
    const { claimed, isMore } = await claimDeliveries(this.#platform, room)
    for (const due of claimed) this.#begin(due)
    if (isMore) this.wake()
  }

  #begin(due: ClaimedDelivery): void {
    const attempt = this.#try(due).finally(() => {
      this.#tries.delete(attempt)
      this.wake()
    })
    this.#tries.add(attempt)
  }

  async #try({ delivery, webhook }: ClaimedDelivery): Promise<void> {
    const { clock, log } = this.#platform
    const attempt = await attemptDelivery(this.#dispatch, webhook, delivery, clock, this.#stop.signal)
    if (this.#stop.signal.aborted && attempt.error !== null) return await this.#release(delivery)
    await this.#record(delivery, attempt)
    log.info({ delivery: delivery.id, status: attempt.status, ms: attempt.tookMs }, 'webhook tried')
  }

  /** Stores the result of an attempt; if the database fails, the delivery is due again after a second. */
  async #record(delivery: Delivery, attempt: Attempt): Promise<void> {
    try {
      await recordAttempt(this.#platform, delivery, attempt, this.#random)
    } catch (error) {
      this.#platform.log.error({ err: error, delivery: delivery.id }, 'the outcome of a webhook could not be written')
      setTimeout(() => void this.#release(delivery), pollEveryMs).unref()
    }
  }

  /** Releases a claimed delivery; if that fails, it is due again once its lease expires. */
  async #release(delivery: Delivery): Promise<void> {
    const { db, clock, log } = this.#platform
    try {
      await db
        .updateTable('deliveries')
        .set({ state: 'waiting', next_attempt_at: clock(), leased_until: 0 })
        .where('id', '=', delivery.id)
        .where('state', '=', 'sending')
        .where('attempts', '=', delivery.attempts)
        .execute()
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a webhook delivery waits until its lease has ended')
    }
  }
}

import { sql } from 'kysely'
import { CoalescedTask } from '../../contract/coalesced-task.ts'
import type { Delivery, Webhook } from '../db/schema.ts'
import type { Platform } from '../platform.ts'
import type { Attempt } from './attempt.ts'
import { attemptDelivery } from './attempt.ts'
import type { Dispatch } from './delivery-request.ts'
import { recordAttempt } from './record-attempt.ts'

/** Concurrent tries of all accounts. A hanging receiver occupies at most `strugglingLimit` of them for 15 s. */
const totalLimit = 1_000
/** Concurrent tries of one account: while its receiver works, and after its last try has failed. */
const healthyLimit = 8
const strugglingLimit = 2
/** Polls at least this often: another process may have queued deliveries or set the webhook. */
const pollEveryMs = 1_000

/** What the sender needs of the platform. */
export type SenderPlatform = Pick<Platform, 'db' | 'changes' | 'clock' | 'log'>

type Due = { delivery: Delivery; webhook: Webhook }

/**
 * Sends what `enqueueDelivery` queued (spec 6, decision 9): at each change of a file, and once a second for retries
 * that are due. One try of a file at a time, a few of an account, so that hanging receivers delay nobody else.
 */
export class WebhookSender {
  readonly #platform: SenderPlatform
  readonly #dispatch: Dispatch
  readonly #random: () => number
  readonly #stop = new AbortController()
  readonly #inFlight = new Map<string, number>()
  readonly #struggling = new Set<string>()
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
      // A locked or full database: the next poll, a second later, tries again.
      (error) => platform.log.warn({ err: error }, 'webhook deliveries could not be read'),
    )
  }

  /** Begins; tries that a crash interrupted are made again. */
  async start(): Promise<void> {
    const { db, changes, clock } = this.#platform
    await db
      .updateTable('deliveries')
      .set({ state: 'waiting', next_attempt_at: clock() })
      .where('state', '=', 'sending')
      .execute()
    this.#unsubscribe = changes.subscribe(({ kind }) => {
      if (kind === 'file' || kind === 'delivery') this.wake()
    })
    this.#timer = setInterval(() => this.wake(), pollEveryMs)
    this.wake()
  }

  /** Claims no more; tries under way are aborted, and made again after the next start. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#stop.abort()
    await this.#claiming.stop()
    await Promise.all(this.#tries)
  }

  /** Sends due deliveries now, or once more after the claim under way. */
  wake(): void {
    this.#claiming.request()
  }

  async #sendDue(): Promise<void> {
    for (const due of await this.#claim()) this.#begin(due)
  }

  #limitOf(accountId: string): number {
    return this.#struggling.has(accountId) ? strugglingLimit : healthyLimit
  }

  /** Marks due deliveries as being sent; skips accounts at their limit. @returns them with their webhooks */
  async #claim(): Promise<Due[]> {
    const { db, clock } = this.#platform
    const room = totalLimit - this.#tries.size
    if (room <= 0) return []
    const now = clock()
    const saturated = [...this.#inFlight].filter(([id, count]) => count >= this.#limitOf(id)).map(([id]) => id)
    const due = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .where('account_id', 'in', (query) => query.selectFrom('webhooks').select('account_id'))
      .$if(saturated.length > 0, (query) => query.where('account_id', 'not in', saturated))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('deliveries as other')
              .select(sql`1`.as('one'))
              .whereRef('other.file_id', '=', 'deliveries.file_id')
              .where('other.state', '=', 'sending'),
          ),
        ),
      )
      .orderBy('next_attempt_at')
      .limit(Math.min(room, 200))
      .execute()
    const claimed = this.#withinLimits(due)
    if (claimed.length === 0) return []
    const ids = claimed.map(({ id }) => id)
    await db.updateTable('deliveries').set({ state: 'sending' }).where('id', 'in', ids).execute()
    const webhooks = await db
      .selectFrom('webhooks')
      .selectAll()
      .where('account_id', 'in', [...new Set(claimed.map(({ account_id }) => account_id))])
      .execute()
    const byAccount = new Map(webhooks.map((webhook) => [webhook.account_id, webhook]))
    if (claimed.length < due.length || due.length === 200) this.wake()
    return claimed.flatMap((delivery) => {
      const webhook = byAccount.get(delivery.account_id)
      return webhook === undefined ? [] : [{ delivery, webhook }]
    })
  }

  /** Of each account as many as its limit allows, and one of each file. */
  #withinLimits(due: readonly Delivery[]): Delivery[] {
    const counts = new Map(this.#inFlight)
    const files = new Set<string>()
    return due.filter(({ account_id, file_id }) => {
      const count = counts.get(account_id) ?? 0
      if (count >= this.#limitOf(account_id) || (file_id !== null && files.has(file_id))) return false
      counts.set(account_id, count + 1)
      if (file_id !== null) files.add(file_id)
      return true
    })
  }

  #begin(due: Due): void {
    const { account_id } = due.delivery
    this.#inFlight.set(account_id, (this.#inFlight.get(account_id) ?? 0) + 1)
    const attempt = this.#try(due).finally(() => {
      const left = (this.#inFlight.get(account_id) ?? 1) - 1
      if (left === 0) this.#inFlight.delete(account_id)
      else this.#inFlight.set(account_id, left)
      this.#tries.delete(attempt)
      this.wake()
    })
    this.#tries.add(attempt)
  }

  async #try({ delivery, webhook }: Due): Promise<void> {
    const { clock, log } = this.#platform
    const attempt = await attemptDelivery(this.#dispatch, webhook, delivery, clock, this.#stop.signal)
    if (this.#stop.signal.aborted && attempt.error !== null) return // still 'sending': made again at the next start
    if (attempt.error === null) this.#struggling.delete(delivery.account_id)
    else this.#struggling.add(delivery.account_id)
    await this.#record(delivery, attempt)
    log.info({ delivery: delivery.id, status: attempt.status, ms: attempt.tookMs }, 'webhook tried')
  }

  /** Stores the result of a try; where the database fails, the delivery is due again after a second. */
  async #record(delivery: Delivery, attempt: Attempt): Promise<void> {
    try {
      await recordAttempt(this.#platform, delivery, attempt, this.#random)
    } catch (error) {
      this.#platform.log.error({ err: error, delivery: delivery.id }, 'the outcome of a webhook could not be written')
      setTimeout(() => void this.#release(delivery.id), pollEveryMs).unref()
    }
  }

  async #release(id: string): Promise<void> {
    const { db, clock, log } = this.#platform
    await db
      .updateTable('deliveries')
      .set({ state: 'waiting', next_attempt_at: clock() })
      .where('id', '=', id)
      .where('state', '=', 'sending')
      .execute()
      .catch((error: unknown) => log.error({ err: error, delivery: id }, 'a webhook delivery waits for the next start'))
  }
}

import type { FastifyInstance } from 'fastify'
import type { DemoAccount } from '../../contract/account-sandbox.ts'
import { createAccount } from '../auth/accounts.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** Demo accounts per hour, for one address and for all together. */
const mostOfAddress = 30
const mostOfAll = 300
const hourMs = 60 * 60 * 1_000

/** Counts within the current hour, by address. */
class HourlyCount {
  #hour = 0
  #all = 0
  #byAddress = new Map<string, number>()

  /** Counts one. @returns false where the limit of the hour is reached */
  tryCount(address: string, now: number): boolean {
    const hour = Math.floor(now / hourMs)
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#all = 0
      this.#byAddress.clear()
    }
    const counted = this.#byAddress.get(address) ?? 0
    if (counted >= mostOfAddress || this.#all >= mostOfAll) return false
    this.#all += 1
    this.#byAddress.set(address, counted + 1)
    return true
  }
}

/** `POST demo`, sandbox only, without a key: a new account with a test card. */
export async function demoRoutes(app: FastifyInstance, { db, clock, log }: Platform): Promise<void> {
  const count = new HourlyCount()
  app.post('demo', async (request, reply): Promise<DemoAccount> => {
    const now = clock()
    if (!count.tryCount(request.ip, now)) {
      const retryAfter = String(Math.ceil((hourMs - (now % hourMs)) / 1_000))
      throw new ServiceError(429, 'Too many demo accounts were opened. Try again later.', {
        'retry-after': retryAfter,
      })
    }
    const { accountId, key } = await createAccount(db, { environment: 'sandbox', name: 'Demo account' }, now)
    log.info({ accountId }, 'demo account opened')
    reply.code(201)
    return { account: accountId, key }
  })
}

import type { FastifyInstance } from 'fastify'
import type { DemoAccount } from '../../../contract/account/sandbox.ts'
import { createAccount } from '../../accounts/auth/accounts.ts'
import type { Db } from '../../platform/db/open.ts'
import { transactAlone } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** Demo accounts per hour, per IP address and in total. */
const mostOfAddress = 30
const mostOfAll = 300
const hourMs = 60 * 60 * 1_000

/** Counts one within the current hour. @returns false if the hourly limit is reached, for the address or in total */
async function tryCount(db: Db, address: string, now: number): Promise<boolean> {
  const hour = Math.floor(now / hourMs)
  return await transactAlone(db, 'demo accounts', async (trx) => {
    await trx.deleteFrom('demo_counts').where('hour', '<', hour).execute()
    const counts = await trx.selectFrom('demo_counts').selectAll().where('hour', '=', hour).execute()
    const ofAll = counts.reduce((sum, { count }) => sum + count, 0)
    const ofAddress = counts.find((row) => row.address === address)?.count ?? 0
    if (ofAddress >= mostOfAddress || ofAll >= mostOfAll) return false
    await trx
      .insertInto('demo_counts')
      .values({ hour, address, count: 1 })
      .onConflict((conflict) => conflict.columns(['hour', 'address']).doUpdateSet({ count: ofAddress + 1 }))
      .execute()
    return true
  })
}

/** `POST demo`, sandbox only, without a key: a new account with a test card. */
export async function demoRoutes(app: FastifyInstance, { db, clock, log }: Platform): Promise<void> {
  app.post('demo', async (request, reply): Promise<DemoAccount> => {
    const now = clock()
    if (!(await tryCount(db, request.ip, now))) {
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

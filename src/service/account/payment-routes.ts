import type { FastifyInstance } from 'fastify'
import type { PaymentMethod, PaymentOverview } from '../../contract/account-payment.ts'
import { newCard } from '../../contract/account-payment.ts'
import type { Db } from '../db/open.ts'
import { notifyAccount } from '../events/notify-account.ts'
import { readBody } from '../http/read-request.ts'
import { testCards } from '../payment/ledger-payment.ts'
import type { Platform } from '../platform.ts'

/** What may be shown of the saved card, or null. */
export async function readPaymentMethod(db: Db, accountId: string): Promise<PaymentMethod | null> {
  const method = await db
    .selectFrom('payment_methods')
    .select(['brand', 'last_four', 'exp_month', 'exp_year'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return method ?? null
}

/** `payment`: the saved card. A new one replaces it; without one orders are refused (spec 1, rule 1). */
export async function paymentRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, payment, clock, ending } = platform
  app.get('payment', async ({ caller }): Promise<PaymentOverview> => {
    const payment_method = await readPaymentMethod(db, caller.account.id)
    return { payment_method, test_cards: payment.test ? [...testCards] : null }
  })

  app.put('payment', async (request): Promise<PaymentMethod> => {
    const { id } = request.caller.account
    const { token, ...method } = await payment.saveCard(id, readBody(newCard, request), ending)
    await db
      .replaceInto('payment_methods')
      .values({ account_id: id, token, ...method, created_at: clock() })
      .execute()
    await notifyAccount(platform, id)
    return method
  })

  app.delete('payment', async (request, reply) => {
    const { id } = request.caller.account
    await db.deleteFrom('payment_methods').where('account_id', '=', id).execute()
    await notifyAccount(platform, id)
    return reply.code(204).send()
  })
}

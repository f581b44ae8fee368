import type { Db } from '../../../platform/db/open.ts'
import type { Account } from '../../../platform/db/schema.ts'
import type { PaymentProvider, StripeConfig } from '../../../platform/payment-provider.ts'
import type { Platform } from '../../../platform/platform.ts'
import { LedgerPayment } from './ledger-payment.ts'
import type { Customers } from './stripe/stripe-cards.ts'

/** What pays live accounts: Stripe where there is a key, whose package is loaded only then; else test cards. */
export async function openLivePayment(stripe: StripeConfig | null, db: Db): Promise<PaymentProvider> {
  if (stripe === null) return new LedgerPayment()
  const { StripePayment } = await import('./stripe/stripe-payment.ts')
  return await StripePayment.open(stripe, keepCustomers(db, stripe.isTest ? 'test' : 'live'))
}

/** Whether no money moves: in the sandbox, and where test cards pay. */
export const isTestMoney = (
  { config, payment }: Pick<Platform, 'config' | 'payment'>,
  { environment }: Pick<Account, 'environment'>,
): boolean => environment === 'sandbox' || payment.live.cardPage === null || config.stripe?.isTest === true

/** The customers of accounts, in a table: the list of a customer's payments is how lost answers are found. */
function keepCustomers(db: Db, mode: 'test' | 'live'): Customers {
  return {
    async read(account) {
      const rows = db.selectFrom('payment_customers').select('customer').where('account_id', '=', account)
      return (await rows.where('mode', '=', mode).executeTakeFirst())?.customer ?? null
    },
    async keep(account, customer) {
      await db
        .insertInto('payment_customers')
        .values({ account_id: account, mode, customer })
        .onConflict((conflict) => conflict.columns(['account_id', 'mode']).doUpdateSet({ customer }))
        .execute()
    },
  }
}

import type { PaymentMethod } from '../../../../contract/account/payment.ts'
import { testCards } from '../../../../contract/account/payment.ts'
import type { Account } from '../../../platform/db/schema.ts'
import type { SavedCard } from '../../../platform/payment-provider.ts'
import type { Platform } from '../../../platform/platform.ts'

/** The account's card, or null. A test card counts only where no real money is moved. */
export async function savedCardOf(
  { db, payment }: Pick<Platform, 'db' | 'payment'>,
  { id, environment }: Pick<Account, 'id' | 'environment'>,
): Promise<SavedCard | null> {
  const card = await db
    .selectFrom('payment_methods')
    .select(['brand', 'last_four', 'exp_month', 'exp_year', 'token'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  if (card === undefined || (payment[environment].cardPage !== null && card.token in testCards)) return null
  return card
}

/** What may be shown of a saved card. */
export function shownCard({ token: _, ...shown }: SavedCard): PaymentMethod {
  return shown
}

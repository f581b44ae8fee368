import type { CardBehaviour, PaymentMethod } from '../../../../contract/account/payment.ts'
import { testCards } from '../../../../contract/account/payment.ts'
import { notifyAccount } from '../../../accounts/notify-account.ts'
import { appendLog } from '../../../platform/db/audit-log.ts'
import type { Account } from '../../../platform/db/schema.ts'
import type { AccountTrx } from '../../../platform/db/write-account.ts'
import type { SavedCard } from '../../../platform/payment-provider.ts'
import type { Platform } from '../../../platform/platform.ts'
import { ServiceError } from '../../../platform/service-error.ts'

/** The account's card, or null. One of another provider, or of its other mode, does not count. */
export async function readSavedCard(
  { db, payment }: Pick<Platform, 'db' | 'payment'>,
  { id, environment }: Pick<Account, 'id' | 'environment'>,
): Promise<SavedCard | null> {
  const card = await db
    .selectFrom('payment_methods')
    .select(['brand', 'last_four', 'exp_month', 'exp_year', 'token'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  if (card === undefined || !payment[environment].pays(card.token)) return null
  return card
}

/** The displayable part of a saved card. */
export function shownCard({ token: _, ...shown }: SavedCard): PaymentMethod {
  return shown
}

/** Saves a card, replacing any previous one. Dashboards are not notified: see `notifyAccount`. */
export async function replaceCard(trx: AccountTrx, card: SavedCard, now: number): Promise<void> {
  const values = { ...card, created_at: now }
  await trx
    .insertInto('payment_methods')
    .values({ account_id: trx.accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
  await appendLog(trx, { action: 'payment', detail: `card ${card.brand} ${card.last_four}` }, now)
}

/** Saves a test card. @throws ServiceError 409 if real cards pay */
export async function chooseTestCard(
  platform: Platform,
  { id, environment }: Account,
  token: CardBehaviour,
): Promise<PaymentMethod> {
  if (platform.payment[environment].cardPage !== null) {
    throw new ServiceError(409, 'Real cards pay here. POST payment/sessions leads to the page that asks for one.')
  }
  const card = testCards[token]
  await notifyAccount(platform, id, (trx) => replaceCard(trx, { ...card, token }, platform.clock()))
  return card
}

/** Removes the account's card, if any; orders are refused from then on (spec 1, rule 1). */
export async function removeCard(platform: Platform, accountId: string): Promise<void> {
  await notifyAccount(platform, accountId, async (trx) => {
    await trx.deleteFrom('payment_methods').where('account_id', '=', accountId).execute()
    await appendLog(trx, { action: 'payment', detail: 'card removed' }, platform.clock())
  })
}

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

/**
 * Saves a card, replacing any previous one. Dashboards are not notified: see `notifyAccount`.
 * @returns the token of the previous one, for `forgetCard` after the commit
 */
export async function replaceCard(trx: AccountTrx, card: SavedCard, now: number): Promise<string | null> {
  const previous = await readToken(trx)
  const values = { ...card, created_at: now, expiry_told_at: null }
  await trx
    .insertInto('payment_methods')
    .values({ account_id: trx.accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
  await appendLog(trx, { action: 'payment', detail: `card ${card.brand} ${card.last_four}` }, now)
  return previous === card.token ? null : previous
}

async function readToken(trx: AccountTrx): Promise<string | null> {
  const card = trx.selectFrom('payment_methods').select('token').where('account_id', '=', trx.accountId)
  return (await card.executeTakeFirst())?.token ?? null
}

/** Has the provider forget a card that nobody uses any more. If it does not answer, it keeps a card that is never charged. */
export async function forgetCard(
  { payment, ending, log }: Platform,
  { environment }: Pick<Account, 'environment'>,
  token: string | null,
): Promise<void> {
  if (token === null) return
  try {
    await payment[environment].cardPage?.forget(token, ending)
  } catch (error) {
    log.warn({ err: error }, 'the payment provider still holds a card that was removed')
  }
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
  await notifyAccount(platform, id, async (trx) => {
    await replaceCard(trx, { ...card, token }, platform.clock())
  })
  return card
}

/** Removes the account's card, if any; orders are refused from then on (spec 1, rule 1). */
export async function removeCard(platform: Platform, account: Account): Promise<void> {
  let token: string | null = null
  await notifyAccount(platform, account.id, async (trx) => {
    token = await readToken(trx)
    await trx.deleteFrom('payment_methods').where('account_id', '=', account.id).execute()
    await appendLog(trx, { action: 'payment', detail: 'card removed' }, platform.clock())
  })
  await forgetCard(platform, account, token)
}

import { expiryOf, toldBeforeExpiryMs } from '../../../../contract/account/payment.ts'
import { appendEvent } from '../../../platform/db/outbox.ts'
import { writeAccount } from '../../../platform/db/write-account.ts'
import type { SavedCard } from '../../../platform/payment-provider.ts'
import type { Platform } from '../../../platform/platform.ts'

type Expiring = SavedCard & { account_id: string; environment: 'live' | 'sandbox' }

/** Cards of which nobody was told, that expire within a month. */
async function listExpiring({ db, clock }: Platform): Promise<Expiring[]> {
  const until = new Date(clock() + toldBeforeExpiryMs)
  const months = until.getUTCFullYear() * 12 + until.getUTCMonth()
  return await db
    .selectFrom('payment_methods')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select(['account_id', 'environment', 'brand', 'last_four', 'exp_month', 'exp_year', 'token'])
    .where('expiry_told_at', 'is', null)
    .where(({ eb }) => eb(eb('exp_year', '*', 12), '+', eb.ref('exp_month')), '<=', months)
    .limit(100)
    .execute()
}

/**
 * Tells accounts that their card expires within a month (decision 135). The provider is asked first, as banks renew cards
 * and it learns the new dates.
 */
export async function tellExpiringCards(platform: Platform, signal: AbortSignal): Promise<void> {
  for (const { account_id: accountId, environment, ...known } of await listExpiring(platform)) {
    if (signal.aborted) return
    try {
      await tell(platform, accountId, await readNow(platform, environment, known, signal), known)
    } catch (error) {
      platform.log.warn({ err: error }, 'a card that expires could not be read; it will be tried again')
    }
  }
}

/** The card as the provider has it; as we have it if it does not know it. */
async function readNow(
  { payment }: Platform,
  environment: Expiring['environment'],
  known: SavedCard,
  signal: AbortSignal,
): Promise<SavedCard> {
  const { cardPage } = payment[environment]
  return (await cardPage?.refresh(known.token, signal)) ?? known
}

async function tell(
  { db, clock, changes }: Platform,
  accountId: string,
  { exp_month, exp_year, last_four }: SavedCard,
  { brand, token }: SavedCard,
): Promise<void> {
  const now = clock()
  const ends = expiryOf({ exp_month, exp_year })
  const isRenewed = ends > now + toldBeforeExpiryMs
  await writeAccount(db, accountId, async (trx) => {
    const values = { exp_month, exp_year, last_four, expiry_told_at: isRenewed ? null : now }
    const card = trx.updateTable('payment_methods').set(values).where('account_id', '=', accountId)
    const changed = await card.where('token', '=', token).where('expiry_told_at', 'is', null).executeTakeFirst()
    if (changed.numUpdatedRows === 0n || isRenewed) return
    const month = `${String(exp_month).padStart(2, '0')}/${exp_year}`
    const reason = `${brand} ${last_four} ${ends > now ? 'expires' : 'expired'} at the end of ${month}. Add another card.`
    await appendEvent(trx, 'card-expires', { reason }, now)
  })
  changes.notify({ kind: 'account', accountId })
}

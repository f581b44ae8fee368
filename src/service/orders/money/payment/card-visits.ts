import { randomBytes } from 'node:crypto'
import { notifyAccount } from '../../../accounts/notify-account.ts'
import type { Account } from '../../../platform/db/schema.ts'
import type { SavedCard } from '../../../platform/payment-provider.ts'
import type { Platform } from '../../../platform/platform.ts'
import { ServiceError } from '../../../platform/service-error.ts'
import { forgetCard, replaceCard } from './saved-card.ts'

const sessionMs = 60 * 60 * 1_000

/** A visit to the provider's card page, stored with the account that began it; a new visit replaces it. */
type CardVisit = { id: string; sessionId: string; endsAt: number }

const cardSessionKey = (accountId: string) => `card-session ${accountId}`

/**
 * Begins a visit to the provider's card page.
 * @param returnUrl where the page returns to, without the visit's id, which is appended
 * @returns the page's URL
 * @throws ServiceError 409 if test cards pay; 502
 */
export async function beginCardVisit(
  { db, clock, ending, payment }: Platform,
  { id: accountId, environment }: Account,
  returnUrl: string,
): Promise<string> {
  const { cardPage } = payment[environment]
  if (cardPage === null) throw new ServiceError(409, 'Test cards pay here. PUT payment chooses one.')
  const id = randomBytes(20).toString('hex')
  const session = await cardPage.open(accountId, returnUrl + id, ending)
  const visit: CardVisit = { id, sessionId: session.id, endsAt: clock() + sessionMs }
  const value = JSON.stringify(visit)
  await db
    .insertInto('secrets')
    .values({ name: cardSessionKey(accountId), value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return session.url
}

/** Saves the card entered in a visit. @throws ServiceError 404 unless this account began it within the hour; 502 */
export async function saveEnteredCard(platform: Platform, account: Account, visitId: string): Promise<SavedCard> {
  const { db, clock, ending, payment } = platform
  const over = new ServiceError(
    404,
    'This visit to the card page is over, or is not of this account. Add the card again.',
  )
  const kept = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', cardSessionKey(account.id))
    .executeTakeFirst()
  const visit = kept && (JSON.parse(kept.value) as CardVisit)
  const { cardPage } = payment[account.environment]
  if (visit?.id !== visitId || visit.endsAt <= clock() || cardPage === null) throw over
  const card = await cardPage.read(visit.sessionId, ending)
  let previous: string | null = null
  await notifyAccount(platform, account.id, async (trx) => {
    const used = trx
      .deleteFrom('secrets')
      .where('name', '=', cardSessionKey(account.id))
      .where('value', '=', kept?.value ?? '')
    if ((await used.executeTakeFirst()).numDeletedRows === 0n) throw over
    previous = await replaceCard(trx, card, clock())
  })
  await forgetCard(platform, account, previous)
  return card
}

/** Deletes abandoned visits to the card page. */
export async function forgetCardVisits({ db, clock }: Platform): Promise<void> {
  const visits = await db.selectFrom('secrets').selectAll().where('name', 'like', cardSessionKey('%')).execute()
  const over = visits.filter(({ value }) => (JSON.parse(value) as CardVisit).endsAt <= clock())
  for (const { name, value } of over) {
    await db.deleteFrom('secrets').where('name', '=', name).where('value', '=', value).execute()
  }
}

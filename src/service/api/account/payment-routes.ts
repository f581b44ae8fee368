import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CardSession, PaymentMethod, PaymentOverview } from '../../../contract/account/payment.ts'
import { chosenTestCard, testCards } from '../../../contract/account/payment.ts'
import { notifyAccount } from '../../accounts/events/notify-account.ts'
import { savedCardOf, shownCard } from '../../orders/money/payment/saved-card.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { SavedCard } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readBody } from '../http/read-request.ts'

const sessionMs = 60 * 60 * 1_000

/** A visit to the provider's card page, kept with the account that began it; another visit takes its place. */
type CardVisit = { id: string; sessionId: string; endsAt: number }

const cardSessionKey = (accountId: string) => `card-session ${accountId}`

/** Where the provider's page leads back to. Another site's origin has been refused before. */
function returnUrl({ publicUrl, tls }: Platform['config'], { headers, caller }: FastifyRequest, id: string): string {
  const own = headers.origin ?? `${tls === null ? 'http' : 'https'}://${headers.host}`
  return `${publicUrl?.origin ?? own}/${caller.account.environment}/settings?card=${id}`
}

async function replaceCard(trx: AccountTrx, card: SavedCard, now: number): Promise<void> {
  const values = { ...card, created_at: now }
  await trx
    .insertInto('payment_methods')
    .values({ account_id: trx.accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
  await appendEvent(trx, 'account', {}, now)
  await appendLog(trx, { action: 'payment', detail: `card ${card.brand} ${card.last_four}` }, now)
}

/** The card that was entered in a visit. @throws ServiceError 404 unless this account began it within the hour; 502 */
async function saveEntered(platform: Platform, { caller }: FastifyRequest, id: string): Promise<SavedCard> {
  const { db, clock, ending, payment } = platform
  const { account } = caller
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
  if (visit?.id !== id || visit.endsAt <= clock() || cardPage === null) throw over
  const card = await cardPage.read(visit.sessionId, ending)
  await writeAccount(db, account.id, async (trx) => {
    const used = trx
      .deleteFrom('secrets')
      .where('name', '=', cardSessionKey(account.id))
      .where('value', '=', kept?.value ?? '')
    if ((await used.executeTakeFirst()).numDeletedRows === 0n) throw over
    await replaceCard(trx, card, clock())
  })
  return card
}

/** Forgets visits to the card page that nobody came back from. */
export async function forgetCardVisits({ db, clock }: Platform): Promise<void> {
  const visits = await db.selectFrom('secrets').selectAll().where('name', 'like', cardSessionKey('%')).execute()
  const over = visits.filter(({ value }) => (JSON.parse(value) as CardVisit).endsAt <= clock())
  for (const { name, value } of over) {
    await db.deleteFrom('secrets').where('name', '=', name).where('value', '=', value).execute()
  }
}

/** `payment`: the saved card. A new one replaces it; without one orders are refused (spec 1, rule 1). */
export async function paymentRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, payment, clock, ending, changes } = platform
  app.get('payment', async ({ caller: { account } }): Promise<PaymentOverview> => {
    const card = await savedCardOf(platform, account)
    return { payment_method: card && shownCard(card), test_cards: payment[account.environment].cardPage === null }
  })

  app.put('payment', async (request): Promise<PaymentMethod> => {
    const { id, environment } = request.caller.account
    const { test_card } = readBody(chosenTestCard, request)
    if (payment[environment].cardPage !== null) {
      throw new ServiceError(409, 'Real cards pay here. POST payment/sessions leads to the page that asks for one.')
    }
    const card = testCards[test_card]
    await writeAccount(db, id, (trx) => replaceCard(trx, { ...card, token: test_card }, clock()))
    changes.notify({ kind: 'account', accountId: id })
    return card
  })

  app.post('payment/sessions', async (request, reply): Promise<CardSession> => {
    const { account } = request.caller
    const { cardPage } = payment[account.environment]
    if (cardPage === null) throw new ServiceError(409, 'Test cards pay here. PUT payment chooses one.')
    const id = randomBytes(20).toString('hex')
    const session = await cardPage.open(account.id, returnUrl(platform.config, request, id), ending)
    const visit: CardVisit = { id, sessionId: session.id, endsAt: clock() + sessionMs }
    const values = { name: cardSessionKey(account.id), value: JSON.stringify(visit) }
    await db
      .insertInto('secrets')
      .values(values)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: values.value }))
      .execute()
    reply.code(201)
    return { url: session.url }
  })

  app.post<{ Params: { id: string } }>('payment/sessions/:id', async (request): Promise<PaymentMethod> => {
    const card = await saveEntered(platform, request, request.params.id)
    changes.notify({ kind: 'account', accountId: request.caller.account.id })
    return shownCard(card)
  })

  app.delete('payment', async (request, reply) => {
    const { id } = request.caller.account
    await db.deleteFrom('payment_methods').where('account_id', '=', id).execute()
    await notifyAccount(platform, id, { action: 'payment', detail: 'card removed' })
    return reply.code(204).send()
  })
}

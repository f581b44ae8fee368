import { sql } from 'kysely'
import type { CardRefund } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { move } from './move.ts'

type BackToCard = {
  /** idempotency key of the first part */
  key: string
  /** `transaction_id` of the refund in the ledger; null: the balance is paid out */
  refund: string | null
  amountCents: number
  currency: string
  dueAt: number
}

/**
 * Divides what goes back to cards among the top-ups that it came from, the newest first: a payment provider refunds no
 * more than it took. The chore `refunds` sends each part.
 * @returns the cents that found a top-up; the rest cannot go back to a card
 */
export async function sendToCards(trx: AccountTrx, back: BackToCard, now: number): Promise<number> {
  const sent = sql<number>`(select coalesce(sum(r.amount_cents), 0) from card_refunds r
    where r.top_up = t.transaction_id and r.status != 'failed')`
  const topUps = await trx
    .selectFrom('top_ups as t')
    .select('t.transaction_id')
    .select(sql<number>`t.amount_cents - t.reversed_cents - ${sent}`.as('left_cents'))
    .where('t.account_id', '=', trx.accountId)
    .where('t.currency', '=', back.currency)
    .where('t.reversed_cents', '=', 0)
    .where(sql<boolean>`t.amount_cents > ${sent}`)
    .orderBy('t.id', 'desc')
    .execute()
  const whole = topUps.find(({ left_cents }) => left_cents >= back.amountCents)
  let [missing, parts] = [back.amountCents, 0]
  for (const { transaction_id, left_cents } of whole === undefined ? topUps : [whole]) {
    if (missing === 0) break
    const amount_cents = Math.min(missing, left_cents)
    missing -= amount_cents
    parts += 1
    const idempotency_key = parts === 1 ? back.key : `${back.key}-${parts}`
    const of = { account_id: trx.accountId, top_up: transaction_id, refund: back.refund, currency: back.currency }
    await trx
      .insertInto('card_refunds')
      .values({ ...of, idempotency_key, amount_cents, created_at: now, due_at: back.dueAt, status: 'pending' })
      .execute()
  }
  return back.amountCents - missing
}

/** Ends a part that was sent. Its refund is settled with the last one. */
export async function settlePart(trx: AccountTrx, part: CardRefund, now: number): Promise<void> {
  const { idempotency_key: reference, amount_cents: amountCents, currency } = part
  if (!(await endPart(trx, part, 'settled'))) return // another process was faster
  await move(trx, { cause: 'refund-paid', reference, from: 'refunds', to: 'card', amountCents, currency }, now)
  await settleRefund(trx, part.refund)
}

/** A refund is settled when none of its parts is on its way. */
async function settleRefund(trx: AccountTrx, refund: string | null): Promise<void> {
  if (refund === null) return
  const pending = trx.selectFrom('card_refunds').select('refund').where('refund', '=', refund)
  await trx
    .updateTable('ledger')
    .set({ status: 'settled' })
    .where('transaction_id', '=', refund)
    .where('status', '=', 'pending')
    .where((eb) => eb.not(eb.exists(pending.where('status', '=', 'pending'))))
    .execute()
}

/**
 * Keeps the parts that are still to be sent to a card out of a top-up that the bank has taken back: they go to the
 * balance instead.
 */
export async function keepFromCard(trx: AccountTrx, topUp: string, now: number): Promise<void> {
  const parts = trx.selectFrom('card_refunds').selectAll().where('top_up', '=', topUp).where('status', '=', 'pending')
  for (const part of await parts.execute()) {
    const { idempotency_key: reference, amount_cents: amountCents, currency } = part
    await endPart(trx, part, 'failed')
    await move(trx, { cause: 'refund-moved', reference, from: 'refunds', to: 'balance', amountCents, currency }, now)
    if (part.refund === null) continue
    await trx.updateTable('ledger').set({ via: 'balance' }).where('transaction_id', '=', part.refund).execute()
    await settleRefund(trx, part.refund)
  }
}

/** Takes a refund that is still to be sent to a card back into what the order cost. @returns its cents */
export async function cancelParts(trx: AccountTrx, refund: string, fileId: string, now: number): Promise<number> {
  const ofRefund = trx.selectFrom('card_refunds').selectAll().where('refund', '=', refund)
  const parts = await ofRefund.where('status', '=', 'pending').execute()
  const amountCents = parts.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  for (const part of parts) await endPart(trx, part, 'failed')
  const [first] = parts
  if (first === undefined) return 0
  const { currency } = first
  const books = { from: 'refunds', to: 'orders' } as const
  await move(trx, { cause: 'refund-failed', reference: fileId, ...books, amountCents, currency }, now)
  return amountCents
}

async function endPart(
  trx: AccountTrx,
  { idempotency_key }: CardRefund,
  status: 'settled' | 'failed',
): Promise<boolean> {
  const part = trx.updateTable('card_refunds').set({ status }).where('idempotency_key', '=', idempotency_key)
  return (await part.where('status', '=', 'pending').executeTakeFirst()).numUpdatedRows > 0n
}

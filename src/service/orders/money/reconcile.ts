import { centsToDecimal } from '../../../contract/interface/price.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { Movement, ProviderBooks } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { enterLostRefund } from '../books/lost-refunds.ts'
import { enterReversal } from './late-failures.ts'
import { enterTopUp } from './top-ups.ts'

/*
 * Compares what the payment provider moved on a day with our books, cent by cent (decision 137). What the provider has
 * and the books lack was lost with data, as after the restore of an older backup, or an event that never came: `enter`
 * puts it into the books. What the books have and the provider lacks is never changed here.
 */

const dayMs = 86_400_000

/** Why a sum needs no other entry, or what is wrong with it. */
type Finding = {
  kind: Movement['kind'] | 'top-up' | 'refund-paid'
  /** at the provider */
  id: string
  account: string | null
  cents: number
  currency: string
  says: string
  /** false: nobody can say why the books and the provider differ by it */
  explained: boolean
}

export type Reconciliation = {
  day: string
  /** at the provider, by currency: charged less refunded and disputed */
  provider_cents: Record<string, number>
  movements: number
  unexplained_cents: number
  /** all that is not simply in both */
  findings: Finding[]
}

type Context = Pick<Platform, 'db' | 'clock' | 'changes'> & {
  enters: boolean
  books: ProviderBooks
  signal: AbortSignal
}

/**
 * @param day `2026-11-27`, in UTC
 * @param enters puts into the books what they lack
 * @throws ServiceError 502
 */
export async function reconcileDay(
  platform: Pick<Platform, 'db' | 'clock' | 'changes'>,
  books: ProviderBooks,
  day: string,
  enters: boolean,
  signal: AbortSignal,
): Promise<Reconciliation> {
  const context = { ...platform, enters, books, signal }
  const from = Date.parse(`${day}T00:00:00Z`)
  const all: Movement[] = []
  // The provider's clock need not be ours: entries of the day may be a day off there.
  for await (const each of books.movements(from - dayMs, from + 2 * dayMs, signal)) all.push(each)
  const ofDay = all.filter(({ at }) => at >= from && at < from + dayMs)
  const findings: Finding[] = []
  for (const each of ofDay) {
    const says = await explain(context, each, all)
    if (says !== null) findings.push(says)
  }
  findings.push(...(await findMissing(platform, books, all, from, signal)))
  const provider_cents: Record<string, number> = {}
  for (const { currency, amountCents, isUndone } of ofDay) {
    if (!isUndone) provider_cents[currency] = (provider_cents[currency] ?? 0) + amountCents
  }
  const unexplained = findings.filter(({ explained }) => !explained)
  const unexplained_cents = unexplained.reduce((sum, { cents }) => sum + Math.abs(cents), 0)
  return { day, provider_cents, movements: ofDay.length, unexplained_cents, findings }
}

type Verdict = { says: string; explained: boolean }
const known = (says: string): Verdict => ({ says, explained: true })
const open = (says: string): Verdict => ({ says, explained: false })

/** @returns null if it is in the books as it is */
async function explain(context: Context, movement: Movement, all: readonly Movement[]): Promise<Finding | null> {
  const { kind, id, account, amountCents: cents, currency, isUndone } = movement
  const verdicts = { charge: explainCharge, refund: explainRefund, dispute: explainDispute }
  const verdict = await (isUndone && kind === 'refund' ? explainFailedRefund : verdicts[kind])(context, movement, all)
  return verdict && { kind, id, account, cents, currency, ...verdict }
}

const lacks = 'not in the books, whose data of that time was lost: `--enter` enters it'
const foreign = known('not of this service, which shares the account at the provider')
const isVoid = ({ kind, idempotencyKey }: Movement) => kind === 'refund' && idempotencyKey?.endsWith('-void') === true

async function explainCharge(context: Context, charge: Movement, all: readonly Movement[]): Promise<Verdict | null> {
  const { db, enters } = context
  const { transactionId, idempotencyKey, account, amountCents, currency } = charge
  if (idempotencyKey === null || account === null) return foreign
  const topUp = await db
    .selectFrom('top_ups')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  if (topUp !== undefined) {
    if (topUp.amount_cents === amountCents && topUp.currency === currency) return null
    return open(`in the books as ${centsToDecimal(topUp.amount_cents)} ${topUp.currency}`)
  }
  const isOurs = (other: Movement) => other.transactionId === transactionId
  if (all.some((other) => isVoid(other) && isOurs(other))) return known('voided: its order was not made')
  const [waits, intent] = await Promise.all([
    db.selectFrom('waiting_top_ups').select('id').where('idempotency_key', '=', idempotencyKey).executeTakeFirst(),
    db.selectFrom('charge_intents').select('node').where('idempotency_key', '=', idempotencyKey).executeTakeFirst(),
  ])
  if (waits ?? intent) return known('under way: it is entered or voided within minutes')
  const exists = db.selectFrom('accounts').select('id').where('id', '=', account)
  if ((await exists.executeTakeFirst()) === undefined) {
    return open('its account is not in these books: refund it at the provider, or restore a newer backup')
  }
  if (!enters) return open(lacks)
  const paid = { transactionId, idempotencyKey, amountCents, currency, card: null }
  await writeAccount(db, account, (trx) => enterTopUp(trx, paid, context.clock()))
  context.changes.notify({ kind: 'account', accountId: account })
  return known('entered now, into the balance')
}

async function explainRefund(context: Context, refund: Movement): Promise<Verdict | null> {
  const { db, enters } = context
  const { idempotencyKey, transactionId, amountCents } = refund
  if (idempotencyKey === null) {
    const topUp = db.selectFrom('top_ups').select('id').where('transaction_id', '=', transactionId)
    if ((await topUp.executeTakeFirst()) === undefined) return foreign
    if (!enters) return open('made at the provider by hand: `--enter` enters it')
  } else if (isVoid(refund)) return known('voids a charge whose order was not made')
  const part = await db
    .selectFrom('card_refunds')
    .select(['amount_cents', 'status'])
    .where('idempotency_key', '=', idempotencyKey ?? refund.id)
    .executeTakeFirst()
  if (part !== undefined) {
    if (part.amount_cents !== -amountCents) return open(`in the books as ${centsToDecimal(part.amount_cents)}`)
    return part.status === 'settled' ? null : known('sent, and not yet noted: it is settled within a day')
  }
  if (!enters) return open(lacks)
  const isEntered = await enterLostRefund(context, refund)
  return isEntered ? known('entered now, out of the balance') : open('its charge is not in the books')
}

/** The bank sent a refund back: the customer did not get it. */
async function explainFailedRefund({ db }: Context, { idempotencyKey }: Movement): Promise<Verdict> {
  const part = db
    .selectFrom('card_refunds')
    .select('status')
    .where('idempotency_key', '=', idempotencyKey ?? '')
  const { status } = (await part.executeTakeFirst()) ?? {}
  if (status !== 'settled') return known('failed at the bank; it is sent again')
  return open('failed at the bank after it was settled: the customer has not got it. Refund it at the provider')
}

async function explainDispute(context: Context, { transactionId, isUndone }: Movement): Promise<Verdict | null> {
  const heard = await context.books.find(transactionId, context.signal)
  const atBank = heard?.state.state === 'paid' ? heard.state.reversedCents : 0
  const read = async () => await readReversed(context, transactionId)
  let entered = await read()
  if (entered === null) return foreign
  const isEntered = Math.min(atBank, entered.mostCents) === entered.cents
  if (!isEntered && !context.enters)
    return open('its event never came: `--enter` enters what the bank took or gave back')
  if (!isEntered) {
    await enterReversal(context, transactionId, atBank)
    entered = await read()
  }
  if (entered?.cents !== atBank)
    return known('what it is more than in the books had gone back to the card before: contest it at the provider')
  if (isEntered) return isUndone ? known('won, or only an inquiry') : null
  return known('entered now')
}

/** What the bank has taken back of a top-up by the books, and what it can take at most; null: there is none. */
async function readReversed({ db }: Context, transactionId: string) {
  const topUp = db.selectFrom('top_ups').select(['amount_cents', 'reversed_cents'])
  const found = await topUp.where('transaction_id', '=', transactionId).executeTakeFirst()
  if (found === undefined) return null
  const { sent } = await db
    .selectFrom('card_refunds')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('sent'))
    .where('top_up', '=', transactionId)
    .where('status', '=', 'settled')
    .executeTakeFirstOrThrow()
  return { cents: found.reversed_cents, mostCents: found.amount_cents - Number(sent) }
}

/** What the books have of the day, and the provider does not. */
async function findMissing(
  { db }: Pick<Platform, 'db'>,
  books: ProviderBooks,
  all: readonly Movement[],
  from: number,
  signal: AbortSignal,
): Promise<Finding[]> {
  const isTheirs = (transaction: string) => /^(test_)?pi_/.test(transaction)
  const charged = new Set(all.flatMap(({ kind, transactionId }) => (kind === 'charge' ? [transactionId] : [])))
  const missing: Finding[] = []
  const topUps = db.selectFrom('top_ups').selectAll()
  for (const row of await topUps
    .where('created_at', '>=', from)
    .where('created_at', '<', from + dayMs)
    .execute()) {
    const { transaction_id: id, account_id: account, amount_cents: cents, currency } = row
    if (!isTheirs(id) || charged.has(id)) continue
    const found = await books.find(id, signal)
    const isThere = found?.state.state === 'paid'
    const says = isThere ? 'on another day at the provider' : 'in the books, and not at the provider'
    missing.push({ kind: 'top-up', id, account, cents, currency, says, explained: isThere })
  }
  const refunded = new Set(
    all.flatMap(({ kind, idempotencyKey, id }) => (kind === 'refund' ? [idempotencyKey ?? id] : [])),
  )
  const paid = await db
    .selectFrom('movements')
    .innerJoin('card_refunds', 'card_refunds.idempotency_key', 'movements.reference')
    .select(['reference', 'top_up', 'movements.account_id', 'movements.amount_cents', 'movements.currency'])
    .where('cause', '=', 'refund-paid')
    .where('movements.created_at', '>=', from)
    .where('movements.created_at', '<', from + dayMs)
    .execute()
  for (const { reference: id, top_up, account_id: account, amount_cents, currency } of paid) {
    if (!isTheirs(top_up) || refunded.has(id)) continue
    const says = 'paid in the books, and not within a day of it at the provider'
    missing.push({ kind: 'refund-paid', id, account, cents: -amount_cents, currency, says, explained: false })
  }
  return missing
}

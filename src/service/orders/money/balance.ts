import { sql } from 'kysely'
import type { Balance, BalanceSettings, MovementPage } from '../../../contract/account/balance.ts'
import { csvNumber, csvText } from '../../../contract/common/csv.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { notifyAccount } from '../../accounts/notify-account.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db } from '../../platform/db/open.ts'
import { type Cursor, cutPage, isAfter, writeCsv } from '../../platform/db/pages.ts'
import type { Account } from '../../platform/db/schema.ts'
import { mintId } from '../../platform/ids.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { sendToCards } from '../books/card-refunds.ts'
import { move, readAvailable, readBook } from '../books/move.ts'
import { perMonth, readAccountBudget } from './account-budget.ts'

/** The balance of an account and its settings. */
export async function readBalance({ db, clock }: Pick<Platform, 'db' | 'clock'>, account: Account): Promise<Balance> {
  const taken = await readTakenBack(db, account, clock())
  const budget = await readAccountBudget(db, account.id, clock())
  return {
    balance_cents: Math.max(0, await readAvailable(db, account)),
    top_up_cents: account.top_up_cents,
    refunds_to: account.refunds_to,
    due_cents: await readBook(db, account, 'refunds'),
    ...(taken !== undefined && { taken_back: { cents: taken.amount_cents, created: iso(taken.created_at) } }),
    ...(budget !== null && { budget }),
  }
}

/** The newest that the bank took back and still has, for a month. */
async function readTakenBack(db: Db, { id, currency }: Account, now: number) {
  const stillHas = db.selectFrom('top_ups').select('id').where('account_id', '=', id).where('reversed_cents', '>', 0)
  return await db
    .selectFrom('movements')
    .select(['amount_cents', 'created_at'])
    .where('account_id', '=', id)
    .where('currency', '=', currency)
    .where('cause', '=', 'reversal')
    .where('created_at', '>', now - 30 * dayMs)
    .where(({ exists }) => exists(stillHas))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function selectMovements(db: Db, { id, currency }: Account, before: Cursor | null, limit: number) {
  return await db
    .selectFrom('movements')
    .selectAll()
    .select(
      sql<string | null>`(select file_name from ledger where file_id = movements.reference limit 1)`.as('file_name'),
    )
    .where('account_id', '=', id)
    .where('currency', '=', currency)
    .where((eb) => eb.or([eb('source', '=', 'balance'), eb('target', '=', 'balance')]))
    .where(isAfter(before))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

type MovementRow = Awaited<ReturnType<typeof selectMovements>>[number]

const toMovement = ({ cause, reference, file_name, target, amount_cents, created_at }: MovementRow) => ({
  cause,
  reference,
  file_name,
  amount_cents: target === 'balance' ? amount_cents : -amount_cents,
  created: iso(created_at),
})

/** What changed the balance, newest first. */
export async function readMovements(
  db: Db,
  account: Account,
  before: Cursor | null,
  limit: number,
): Promise<MovementPage> {
  const { page, next_cursor } = cutPage(await selectMovements(db, account, before, limit + 1), limit)
  return { movements: page.map(toMovement), next_cursor }
}

/** All of it as CSV; the amounts add up to the balance. */
export function movementsCsv(db: Db, account: Account): AsyncGenerator<string> {
  return writeCsv(
    '\ufeffcreated,cause,reference,file_name,amount,currency,date',
    (before, limit) => selectMovements(db, account, before, limit),
    (row) => {
      const { created, cause, reference, file_name, amount_cents } = toMovement(row)
      const texts = [created, cause, reference, file_name ?? ''].map(csvText)
      return [...texts, csvNumber(centsToDecimal(amount_cents)), csvText(row.currency), created.slice(0, 10)].join(',')
    },
  )
}

/** Changes what the card pays in at a time, where refunds go, and the budget. All apply from now on. */
export async function changeBalanceSettings(
  platform: Platform,
  { id, currency }: Account,
  settings: BalanceSettings,
): Promise<Balance> {
  const account = await notifyAccount(platform, id, async (trx) => {
    const row = () => trx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const before = await row()
    if (Object.keys(settings).length > 0) await trx.updateTable('accounts').set(settings).where('id', '=', id).execute()
    const after = await row()
    const told = describeSettings(after, currency).filter(
      (words) => !describeSettings(before, currency).includes(words),
    )
    if (told.length > 0) await appendLog(trx, { action: 'payment', detail: told.join(', ') }, platform.clock())
    return after
  })
  return await readBalance(platform, account)
}

/** Each in words, for the log. */
function describeSettings(account: Account, currency: string): string[] {
  const { top_up_cents, refunds_to, budget_cents, budget_per } = account
  const budget = budget_cents === null ? 'none' : `${centsToDecimal(budget_cents)} ${currency}${perMonth(budget_per)}`
  return [`top-up ${centsToDecimal(top_up_cents)} ${currency}`, `refunds to the ${refunds_to}`, `budget ${budget}`]
}

/**
 * Pays the balance back to the cards that it came from; the chore `refunds` sends it within a minute. What orders that
 * are being placed have reserved stays.
 * @returns the cents
 */
export async function payBack(platform: Platform, account: Account): Promise<number> {
  const now = platform.clock()
  return await notifyAccount(platform, account.id, async (trx) => {
    const amountCents = await readAvailable(trx, account)
    const [key, { currency }] = [mintId('out_'), account]
    const back = { key, refund: null, amountCents, currency, dueAt: now }
    const sent = amountCents > 0 ? await sendToCards(trx, back, now) : 0
    if (sent === 0) return 0
    const books = { from: 'balance', to: 'refunds' } as const
    await move(trx, { cause: 'payout', reference: key, ...books, amountCents: sent, currency }, now)
    await appendLog(
      trx,
      { action: 'payment', detail: `${centsToDecimal(sent)} ${currency} paid back to the card` },
      now,
    )
    return sent
  })
}

/** The same on request. @throws ServiceError 409 if there is nothing to pay back */
export async function payOut(platform: Platform, account: Account): Promise<Balance> {
  if ((await payBack(platform, account)) === 0)
    throw new ServiceError(409, 'The balance has nothing that came from a card.')
  return await readBalance(platform, account)
}

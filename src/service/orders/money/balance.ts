import { sql } from 'kysely'
import type { Balance, BalanceSettings, MovementPage } from '../../../contract/account/balance.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { notifyAccount } from '../../accounts/notify-account.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db } from '../../platform/db/open.ts'
import { type Cursor, cutPage, isAfter } from '../../platform/db/pages.ts'
import type { Account } from '../../platform/db/schema.ts'
import { mintId } from '../../platform/ids.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { sendToCards } from '../books/card-refunds.ts'
import { move, readAvailable, readBalance } from '../books/move.ts'

/** What changed the balance, newest first. */
export async function readMovements(
  db: Db,
  { id, currency }: Account,
  before: Cursor | null,
  limit: number,
): Promise<MovementPage> {
  const rows = await db
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
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = cutPage(rows, limit)
  return {
    movements: page.map(({ cause, reference, file_name, target, amount_cents, created_at }) => ({
      cause,
      reference,
      file_name,
      amount_cents: target === 'balance' ? amount_cents : -amount_cents,
      created: iso(created_at),
    })),
    next_cursor,
  }
}

/** Changes what the card pays in at a time, and where refunds go. They apply from now on. */
export async function changeBalanceSettings(
  platform: Platform,
  { id, currency }: Account,
  { top_up_cents, refunds_to }: BalanceSettings,
): Promise<Balance> {
  const values = {
    ...(top_up_cents !== undefined && { top_up_cents }),
    ...(refunds_to !== undefined && { refunds_to }),
  }
  const account = await notifyAccount(platform, id, async (trx) => {
    const own = trx.selectFrom('accounts').selectAll().where('id', '=', id)
    if (Object.keys(values).length > 0) {
      await trx.updateTable('accounts').set(values).where('id', '=', id).execute()
      const told = [
        ...(top_up_cents === undefined ? [] : [`top-up ${centsToDecimal(top_up_cents)} ${currency}`]),
        ...(refunds_to === undefined ? [] : [`refunds to the ${refunds_to}`]),
      ]
      await appendLog(trx, { action: 'payment', detail: told.join(', ') }, platform.clock())
    }
    return await own.executeTakeFirstOrThrow()
  })
  return await readBalance(platform.db, account)
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
  return await readBalance(platform.db, account)
}

import type { KeyLimits } from '../../../contract/account/key-limits.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { actor } from '../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { parseLimits } from './key-limits.ts'

/** The beginning of the current calendar month (UTC). */
export function monthStart(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/**
 * What the orders of keys have cost in the current calendar month (UTC), in cents, by key. Refunds do not count: they
 * may come months later.
 */
export async function readMonthSpending(
  db: Db | Trx,
  keyIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const sums = await db
    .selectFrom('ledger')
    .select((eb) => ['key_id', eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('spent')])
    .where('key_id', 'in', keyIds)
    .where('created_at', '>=', monthStart(now))
    .where('kind', '=', 'charge')
    .where('status', '!=', 'failed')
    .groupBy('key_id')
    .execute()
  return new Map(sums.map(({ key_id, spent }) => [key_id ?? '', spent]))
}

/** The same of one key. */
export async function readMonthSpent(db: Db | Trx, keyId: string, now: number): Promise<number> {
  return (await readMonthSpending(db, [keyId], now)).get(keyId) ?? 0
}

/** What the orders of a key have cost in all, less refunds, in cents. */
async function readTotalSpent(db: Db | Trx, keyId: string): Promise<number> {
  const files = (db as Db)
    .selectFrom('ledger')
    .select('file_id')
    .where('key_id', '=', keyId)
    .where('kind', '=', 'charge')
  const { spent } = await (db as Db)
    .selectFrom('ledger')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('spent'))
    .where('file_id', 'in', files)
    .where('status', '!=', 'failed')
    .executeTakeFirstOrThrow()
  return Number(spent)
}

/** The same, for a page that shows its limits; empty if it has no limit in all. */
export async function describeTotal(db: Db, keyId: string, { total_limit_cents: limit = null }: KeyLimits) {
  return limit === null ? {} : { total_spent_cents: await readTotalSpent(db, keyId) }
}

/**
 * Checked before the charge, so that nothing is charged, and again when the order is written, as others may have been
 * written in between.
 * @throws ServiceError 409 if the order would exceed what the key of this request may spend this month, or in all
 */
export async function requireWithinKeyLimit(
  db: Db | Trx,
  { total_cents, currency }: { total_cents: number; currency: string },
  now: number,
): Promise<void> {
  const keyId = actor()?.keyId
  if (keyId === undefined || total_cents === 0) return
  const key = await db.selectFrom('api_keys').select(['name', 'limits_json']).where('id', '=', keyId).executeTakeFirst()
  if (key === undefined) return
  const { month_limit_cents, total_limit_cents = null } = parseLimits(key)
  const check = (limit: number, spent: number, period: string) => {
    if (spent + total_cents <= limit) return
    const [price, used, most] = [total_cents, spent, limit].map((cents) => `${centsToDecimal(cents)} ${currency}`)
    const words = `The order of ${price} would exceed what the key “${key.name}” may spend ${period}: ${used} of ${most} are spent.`
    throw new ServiceError(409, `${words} Nothing was charged.`)
  }
  if (month_limit_cents !== null) check(month_limit_cents, await readMonthSpent(db, keyId, now), 'a month')
  if (total_limit_cents !== null) check(total_limit_cents, await readTotalSpent(db, keyId), 'in all')
}

import type { AccountBudget, BudgetPer } from '../../../contract/account/balance.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { monthStart } from '../../accounts/auth/key-spending.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Account } from '../../platform/db/schema.ts'
import { ServiceError } from '../../platform/service-error.ts'

/**
 * What counts against a budget, in cents: by month, the orders of the current calendar month (UTC), whose refunds may come
 * months later and do not count; in all, charges less refunds (decision 131).
 * @param where the account, or one of its projects
 */
export async function readSpent(
  db: Db | Trx,
  where: { column: 'account_id' | 'project_id'; id: string },
  per: BudgetPer,
  now: number,
): Promise<number> {
  let entries = db
    .selectFrom('ledger')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('spent'))
    .where(where.column, '=', where.id)
    .where('status', '!=', 'failed')
  if (per === 'month') entries = entries.where('kind', '=', 'charge').where('created_at', '>=', monthStart(now))
  return (await entries.executeTakeFirstOrThrow()).spent
}

/** The budget of an account, and what counts against it; null: it has none. */
export async function readAccountBudget(db: Db | Trx, id: string, now: number): Promise<AccountBudget | null> {
  const account = db.selectFrom('accounts').select(['budget_cents', 'budget_per']).where('id', '=', id)
  const { budget_cents, budget_per } = await account.executeTakeFirstOrThrow()
  if (budget_cents === null) return null
  const spent_cents = await readSpent(db, { column: 'account_id', id }, budget_per, now)
  return { budget_cents, budget_per, spent_cents }
}

/**
 * Checked before the charge, so that nothing is charged, and again when the order is written, as others may have been
 * written in between.
 * @throws ServiceError 409 if the order would exceed what the account may spend
 */
export async function requireWithinAccountBudget(
  db: Db | Trx,
  { id, currency }: Pick<Account, 'id' | 'currency'>,
  totalCents: number,
  now: number,
): Promise<void> {
  if (totalCents === 0) return
  const budget = await readAccountBudget(db, id, now)
  if (budget === null || budget.spent_cents + totalCents <= budget.budget_cents) return
  const [price, used, most] = [totalCents, budget.spent_cents, budget.budget_cents].map(
    (cents) => `${centsToDecimal(cents)} ${currency}`,
  )
  const words = `The order of ${price} would exceed the budget of this account${perMonth(budget.budget_per)}: ${used} of ${most} are spent.`
  throw new ServiceError(
    409,
    `${words} Nothing was charged. A key that manages the account can raise it, at Settings › Money.`,
  )
}

/** ` a month`, or nothing */
export const perMonth = (per: BudgetPer): string => (per === 'month' ? ' a month' : '')

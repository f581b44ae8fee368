import { centsToDecimal } from '../../../contract/interface/price.ts'
import { parseLimits } from '../../accounts/auth/key-limits.ts'
import { actor, appendLog } from '../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { perMonth, readSpent } from '../money/account-budget.ts'

/** The project requested for an order. `overBudget`: the customer has agreed to exceed the budget. */
export type AskedProject = { id: string; overBudget: boolean }

type Ordered = Pick<FileRow, 'id' | 'name' | 'total_cents' | 'currency'>

/**
 * Checks a project before anything is read: a wrong id would be charged past its budget.
 * @throws ServiceError 404 if the account has no such project, unless it has deleted it
 */
export async function requireKnownProject(db: Db, accountId: string, { id }: AskedProject): Promise<void> {
  for (const table of ['projects', 'deleted_projects'] as const) {
    const found = db.selectFrom(table).select('id').where('id', '=', id).where('account_id', '=', accountId)
    if ((await found.executeTakeFirst()) !== undefined) return
  }
  throw new ServiceError(404, 'Order-Project is the id of no project of this account. Nothing was charged.')
}

/** The header that says which project an order is in: `none` if the one that it names has been deleted. */
export async function describeProject(
  db: Db,
  asked: AskedProject | null,
  fileId: string,
): Promise<Record<string, string>> {
  if (asked === null) return {}
  const file = await db.selectFrom('files').select('project_id').where('id', '=', fileId).executeTakeFirst()
  return { 'order-project': file?.project_id ?? 'none' }
}

/** Whether the key of this request may exceed a budget when it says so: one that manages the account could raise it. */
async function mayExceed(db: Db | Trx): Promise<boolean> {
  const keyId = actor()?.keyId
  if (keyId === undefined) return true
  const key = await db.selectFrom('api_keys').select('limits_json').where('id', '=', keyId).executeTakeFirst()
  return key === undefined || parseLimits(key).rights.includes('manage')
}

/**
 * Checked before the charge, so that an order over the budget charges nothing, and again when it is written, as others
 * may have been written in between.
 * @returns the project's id; null if none is requested or it is gone
 * @throws ServiceError 409 if the order would exceed its budget, unless the customer agreed with a key that manages the account
 */
export async function requireWithinBudget(
  db: Db | Trx,
  accountId: string,
  { total_cents, currency }: Ordered,
  asked: AskedProject | null,
  now: number,
): Promise<string | null> {
  if (asked === null) return null
  const project = await db
    .selectFrom('projects')
    .select(['name', 'budget_cents', 'budget_per'])
    .where('id', '=', asked.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (project === undefined) return null
  const { name, budget_cents, budget_per } = project
  if (budget_cents === null || total_cents === 0) return asked.id
  if (asked.overBudget && (await mayExceed(db))) return asked.id
  const spent = await readSpent(db, { column: 'project_id', id: asked.id }, budget_per, now)
  if (spent + total_cents <= budget_cents) return asked.id
  const [budget, used, price] = [budget_cents, spent, total_cents].map(
    (cents) => `${centsToDecimal(cents)} ${currency}`,
  )
  const words = `The order of ${price} would exceed the budget of the project “${name}”${perMonth(budget_per)}: ${used} of ${budget} are spent.`
  const key = asked.overBudget ? ' This key may not exceed it: it lacks the right “manage”.' : ''
  throw new ServiceError(409, `${words} Nothing was charged.${key || ' It can be raised on the project’s page.'}`)
}

/**
 * The project of an order being written. If it has been deleted, the order continues without one, and the audit log
 * says so.
 * @throws ServiceError as `requireWithinBudget`
 */
export async function orderIntoProject(
  trx: AccountTrx,
  file: Ordered,
  asked: AskedProject | null,
  now: number,
): Promise<string | null> {
  const id = await requireWithinBudget(trx, trx.accountId, file, asked, now)
  if (asked !== null && id === null) {
    await appendLog(trx, { action: 'project', detail: 'ordered without one: it was deleted before', file }, now)
  }
  return id
}

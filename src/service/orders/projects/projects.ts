import { sql } from 'kysely'
import { maxProjects, type Project, type ProjectChange } from '../../../contract/account/projects.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { monthStart } from '../../accounts/auth/key-spending.ts'
import { appendLog, type Logged } from '../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { ProjectRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { perMonth } from '../money/account-budget.ts'
import { moveInto } from './move-files.ts'

function selectProjects(db: Db | Trx, accountId: string) {
  return db.selectFrom('projects').selectAll().where('account_id', '=', accountId)
}

/** All projects of an account, sorted by name. */
export async function listProjects(db: Db | Trx, accountId: string, now: number): Promise<Project[]> {
  const rows = await selectProjects(db, accountId).execute()
  const ofMonth = sql<number>`sum(case when kind = 'charge' and created_at >= ${monthStart(now)} then amount_cents else 0 end)`
  const sums = await db
    .selectFrom('ledger')
    .select((eb) => ['project_id', eb.fn.sum<number>('amount_cents').as('all'), ofMonth.as('month')])
    .where('project_id', 'in', selectProjects(db, accountId).clearSelect().select('id'))
    .where('status', '!=', 'failed')
    .groupBy('project_id')
    .execute()
  const spent = new Map(sums.map((sum) => [sum.project_id, sum]))
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name,
      created: iso(row.created_at),
      budget_cents: row.budget_cents,
      budget_per: row.budget_per,
      spent_cents: spent.get(row.id)?.[row.budget_per] ?? 0,
      options: row.options_json === null ? null : JSON.parse(row.options_json),
      preset: row.preset,
    }))
    .sort((one, two) => one.name.localeCompare(two.name, 'en', { numeric: true }))
}

async function requireProject(trx: AccountTrx, id: string, now: number): Promise<Project> {
  const found = (await listProjects(trx, trx.accountId, now)).find((project) => project.id === id)
  if (found === undefined) throw noProject()
  return found
}

function noProject(): ServiceError {
  return new ServiceError(404, 'There is no such project. It may have been deleted.')
}

/** @throws ServiceError 409 */
function requireFreeName(rows: readonly ProjectRow[], name: string, id: string | null): void {
  const taken = rows.find((row) => row.id !== id && row.name.toLowerCase() === name.toLowerCase())
  if (taken !== undefined) throw new ServiceError(409, `There is a project “${taken.name}” already.`)
}

async function write<Result>(
  { db, changes, clock }: Platform,
  accountId: string,
  work: (trx: AccountTrx, log: (detail: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const result = await writeAccount(db, accountId, async (trx) => {
    const logged = (detail: string): Logged => ({ action: 'project', detail })
    const done = await work(trx, (detail) => appendLog(trx, logged(detail), clock()))
    await appendEvent(trx, 'projects', {}, clock())
    return done
  })
  changes.notify({ kind: 'account', accountId })
  return result
}

/** @throws ServiceError 409 if the name is taken, or there would be too many */
export async function makeProject(platform: Platform, accountId: string, name: string): Promise<Project> {
  return await write(platform, accountId, async (trx, log) => {
    const rows = await selectProjects(trx, accountId).execute()
    if (rows.length >= maxProjects) throw new ServiceError(409, `An account can have at most ${maxProjects} projects.`)
    requireFreeName(rows, name, null)
    const row = { id: mintId('p'), account_id: accountId, name, budget_cents: null, options_json: null, preset: null }
    await trx
      .insertInto('projects')
      .values({ ...row, created_at: platform.clock() })
      .execute()
    await log(`made “${name}”`)
    return await requireProject(trx, row.id, platform.clock())
  })
}

/** @returns the project, and its previous name @throws ServiceError 404, 409 if the name is taken */
export async function changeProject(
  platform: Platform,
  accountId: string,
  id: string,
  { name, budget_cents, budget_per, options, preset }: ProjectChange,
): Promise<{ project: Project; before: string }> {
  return await write(platform, accountId, async (trx, log) => {
    const was = await requireProject(trx, id, platform.clock())
    if (name !== undefined) requireFreeName(await selectProjects(trx, accountId).execute(), name, id)
    const changed = {
      name: name ?? was.name,
      budget_cents: budget_cents === undefined ? was.budget_cents : budget_cents,
      budget_per: budget_per ?? was.budget_per ?? 'all',
      options_json: JSON.stringify(options === undefined ? was.options : options),
      preset: preset === undefined ? was.preset : preset,
    }
    const options_json = changed.options_json === 'null' ? null : changed.options_json
    const values = { ...changed, options_json }
    await trx.updateTable('projects').set(values).where('id', '=', id).execute()
    if (changed.name !== was.name) await log(`renamed “${was.name}” to “${changed.name}”`)
    if (changed.budget_cents !== was.budget_cents || changed.budget_per !== was.budget_per) {
      const budget = changed.budget_cents
      const words = budget === null ? 'none' : centsToDecimal(budget) + perMonth(changed.budget_per)
      await log(`budget of “${changed.name}”: ${words}`)
    }
    if (options !== undefined || preset !== undefined) await log(`defaults of “${changed.name}”`)
    return { project: await requireProject(trx, id, platform.clock()), before: was.name }
  })
}

/** Deletes a project; its files stay, without a project. @throws ServiceError 404 */
export async function removeProject(platform: Platform, accountId: string, id: string): Promise<void> {
  const moved = await write(platform, accountId, async (trx, log) => {
    const { name } = await requireProject(trx, id, platform.clock())
    const files = await trx.selectFrom('files').select('id').where('project_id', '=', id).execute()
    await moveInto(trx, null, files, platform.clock())
    await trx.deleteFrom('keeping_rules').where('scope', '=', 'project').where('target', '=', id).execute()
    await trx.updateTable('ledger').set({ project_id: null }).where('project_id', '=', id).execute()
    await trx.deleteFrom('projects').where('id', '=', id).execute()
    await trx.insertInto('deleted_projects').values({ id, account_id: accountId }).execute()
    await log(`deleted “${name}”`)
    return files
  })
  for (const file of moved) platform.changes.notify({ kind: 'file', accountId, fileId: file.id })
}

import { maxRules, type RetentionChange, type RetentionPreview } from '../../../contract/account/retention.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { changeFiles } from '../../platform/db/change-files.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { Forecast } from './forecast.ts'
import { describePeriods, finishedFiles, listDeletions, listRules, type Rule, ruleText } from './rules.ts'

/** The rule that a change affects. @throws ServiceError 400 */
function toRule({ scope, target, keep }: RetentionChange) {
  if ((scope === 'account') !== (target === '')) throw new ServiceError(400, '"target" must name what the rule is for.')
  const { recording_days = null, all_days = null } = keep ?? {}
  if (recording_days !== null && all_days !== null && recording_days >= all_days) {
    throw new ServiceError(400, 'The recording must go before the rest does.')
  }
  const isTag = scope === 'tag'
  const own = { target: isTag ? target.toLowerCase() : target, tag: isTag ? target : '' }
  return { scope, ...own, recording_days, all_days }
}

/** @throws ServiceError 404, 409 */
async function requireRoom(trx: AccountTrx, { scope, target }: RetentionChange, rules: readonly Rule[]): Promise<void> {
  if (rules.length >= maxRules) throw new ServiceError(409, `An account can have at most ${maxRules} rules.`)
  if (scope !== 'project') return
  const project = trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', target)
    .where('account_id', '=', trx.accountId)
  if ((await project.executeTakeFirst()) === undefined) throw new ServiceError(404, 'There is no such project.')
}

/** Writes the change of a rule. @returns the rules afterwards, and the change as text for the log */
async function writeRule(trx: AccountTrx, change: RetentionChange, before: readonly Rule[]) {
  const rule = toRule(change)
  const isSame = ({ scope, target }: Rule) => scope === rule.scope && target === rule.target
  const was = before.find(isSame)
  if (change.keep === null) {
    await trx
      .deleteFrom('keeping_rules')
      .where('account_id', '=', trx.accountId)
      .where('scope', '=', rule.scope)
      .where('target', '=', rule.target)
      .execute()
    return { after: await listRules(trx, trx.accountId), detail: was ? `removed ${ruleText(was)}` : null }
  }
  if (was === undefined) await requireRoom(trx, change, before)
  await trx
    .insertInto('keeping_rules')
    .values({ account_id: trx.accountId, ...rule })
    .onConflict((conflict) => conflict.columns(['account_id', 'scope', 'target']).doUpdateSet(rule))
    .execute()
  const after = await listRules(trx, trx.accountId)
  const made = after.find(isSame)
  return { after, detail: made ? `${was === undefined ? 'made' : 'changed'} ${ruleText(made)}` : null }
}

/** Nothing was confirmed: the trial write is rolled back. */
class NotConfirmed extends Error {}

/**
 * Creates, changes or removes a rule.
 * @param dayOf see `daysIn`
 * @returns what will be deleted of the files whose retention changes; unless confirmed, nothing is changed
 * @throws ServiceError 400, 409
 */
export async function changeRule(
  { db, clock, changes }: Platform,
  accountId: string,
  change: RetentionChange,
  dayOf: (at: number) => string,
): Promise<RetentionPreview> {
  let forecast = new Forecast(dayOf)
  try {
    await writeAccount(db, accountId, async (trx) => {
      forecast = new Forecast(dayOf)
      const now = clock()
      const before = await listRules(trx, accountId)
      const { after, detail } = await writeRule(trx, change, before)
      const changed: string[] = []
      for await (const file of finishedFiles(trx, accountId, null)) {
        if (describePeriods(before, file) === describePeriods(after, file)) continue
        changed.push(file.id)
        forecast.add(file, listDeletions(after, { ...file, keeping_since: now }))
      }
      if (!change.confirmed) throw new NotConfirmed()
      // They stay for at least the notice period.
      await changeFiles(trx, changed, { keeping_since: now })
      if (detail === null) return
      await appendLog(trx, { action: 'retention', detail }, now)
      await appendEvent(trx, 'labels', {}, now)
      await appendEvent(trx, 'account', {}, now)
    })
  } catch (error) {
    if (!(error instanceof NotConfirmed)) throw error
    return forecast.result()
  }
  changes.notify({ kind: 'account', accountId })
  return forecast.result()
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type RetentionState, retentionChange } from '../../../contract/account/retention.ts'
import { labelsOf } from '../../orders/labels/change-labels.ts'
import { changeRule } from '../../orders/retention/change-rules.ts'
import { daysIn, Forecast } from '../../orders/retention/forecast.ts'
import { finishedFiles, leavingsOf, rulesOf } from '../../orders/retention/rules.ts'
import type { Platform } from '../../platform/platform.ts'
import { queryValue, readBody } from '../http/read-request.ts'

const zoneOf = (request: FastifyRequest) => daysIn(queryValue(request, 'zone') ?? 'UTC')

async function readRetention(
  { db }: Platform,
  accountId: string,
  dayOf: (at: number) => string,
): Promise<RetentionState> {
  const rules = await rulesOf(db, accountId)
  const forecast = new Forecast(dayOf)
  const tags = new Map<string, string>()
  let held = 0
  for await (const file of finishedFiles(db, accountId, null)) {
    forecast.add(file, leavingsOf(rules, file))
    const labels = labelsOf(file)
    if (labels.held) held += 1
    for (const tag of labels.tags) tags.set(tag.toLowerCase(), tag)
  }
  const { days, later } = forecast.result()
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute()
  return { rules, days, later, held, tags: [...tags.values()].sort((a, b) => a.localeCompare(b, 'en')), projects }
}

/** `keeping`: retention rules for recordings and files, and upcoming deletions. */
export async function retentionRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get('keeping', async (request) => readRetention(platform, request.caller.account.id, zoneOf(request)))
  app.put('keeping', async (request) =>
    changeRule(platform, request.caller.account.id, readBody(retentionChange, request), zoneOf(request)),
  )
}

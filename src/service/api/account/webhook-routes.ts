import type { FastifyInstance } from 'fastify'
import type { WebhookEntry, WebhookOverview } from '../../../contract/account/webhooks.ts'
import { deliveryStates, newWebhook, redeliverFailed } from '../../../contract/account/webhooks.ts'
import { checkEndpoint } from '../../accounts/webhooks/check-endpoint.ts'
import { listDeliveries, readDelivery, redeliver, sendTestEvent } from '../../accounts/webhooks/deliveries.ts'
import {
  pauseWebhook,
  readWebhook,
  removeWebhook,
  requireWebhook,
  resumeWebhook,
  rotateSecret,
  setWebhook,
} from '../../accounts/webhooks/endpoint.ts'
import type { Webhook } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { queryChoice, queryCursor, queryLimit, queryValue, readBody } from '../http/read-request.ts'

function toWebhookEntry(row: Webhook, now: number): WebhookEntry {
  const overlaps = row.previous_secret_until !== null && row.previous_secret_until > now
  return {
    url: row.url,
    created: iso(row.created_at),
    previous_secret_until: overlaps ? iso(row.previous_secret_until) : null,
    paused: iso(row.paused_at),
    pause_reason: row.pause_reason,
    simulate_failure: row.simulate_failure === 1,
  }
}

/** `webhook` (URL, secret, pause, test) and `deliveries` (spec 6, decision 9). */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short route after the other
export async function webhookRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, changes, clock, config } = platform

  async function overview(accountId: string, secret: string | null = null): Promise<WebhookOverview> {
    const row = await readWebhook(db, accountId)
    return { webhook: row === null ? null : toWebhookEntry(row, clock()), ...(secret === null ? {} : { secret }) }
  }

  async function switchTo(paused: boolean, accountId: string): Promise<WebhookOverview> {
    await requireWebhook(db, accountId)
    await writeAccount(db, accountId, (trx) =>
      paused ? pauseWebhook(trx, null, clock()) : resumeWebhook(trx, clock()),
    )
    changes.notify({ kind: 'delivery', accountId })
    return await overview(accountId)
  }

  app.get('webhook', async ({ caller }) => await overview(caller.account.id))
  app.put('webhook', async (request) => {
    const { account } = request.caller
    const { id } = account
    const { url: given } = readBody(newWebhook, request)
    const url = await checkEndpoint(given, account, config.allowTargets, platform.guard)
    const { secret } = await setWebhook(db, id, url, clock())
    changes.notify({ kind: 'account', accountId: id })
    return await overview(id, secret)
  })
  app.delete('webhook', async (request, reply) => {
    const { id } = request.caller.account
    await removeWebhook(db, id, clock())
    changes.notify({ kind: 'account', accountId: id })
    return reply.code(204).send()
  })
  app.post('webhook/secret', async ({ caller: { account } }) =>
    overview(account.id, await rotateSecret(db, account.id, clock())),
  )
  app.post('webhook/pause', async ({ caller }) => await switchTo(true, caller.account.id))
  app.post('webhook/resume', async ({ caller }) => await switchTo(false, caller.account.id))
  app.post('webhook/test', async ({ caller }, reply) => {
    reply.code(202)
    return await sendTestEvent(platform, caller.account.id)
  })

  app.get('deliveries', async (request) =>
    listDeliveries(db, request.caller.account.id, {
      state: queryChoice(request, 'state', deliveryStates),
      fileId: queryValue(request, 'file'),
      before: queryCursor(request),
      limit: queryLimit(request, 100, 500),
    }),
  )
  app.get<{ Params: { id: string } }>('deliveries/:id', async ({ caller, params }) =>
    readDelivery(db, caller.account.id, params.id),
  )
  app.post<{ Params: { id: string } }>('deliveries/:id/redeliver', async ({ caller, params }, reply) => {
    const { id } = await readDelivery(db, caller.account.id, params.id)
    if ((await redeliver(platform, caller.account.id, { id })) === 0) {
      throw new ServiceError(409, 'This delivery is being sent right now.')
    }
    reply.code(202)
    return await readDelivery(db, caller.account.id, id)
  })
  app.post('deliveries/redeliver', async (request, reply) => {
    const failedSince = Date.parse(readBody(redeliverFailed, request).failed_since)
    reply.code(202)
    return { count: await redeliver(platform, request.caller.account.id, { failedSince }) }
  })
}

import {
  deliveryDetail,
  deliveryPage,
  deliveryStates,
  newWebhook,
  redelivered,
  redeliverFailed,
  type WebhookEntry,
  type WebhookOverview,
  webhookOverview,
} from '../../../contract/account/webhooks.ts'
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
import { ServiceError } from '../../platform/service-error.ts'
import { type AccountGiven, route } from '../http/account-route.ts'
import { nothing, unknown } from '../http/operation.ts'
import { choiceQuery, pageQuery, textQuery } from '../http/read-request.ts'

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

type Given = Pick<AccountGiven, 'platform' | 'caller'>

async function readOverview({ platform, caller }: Given, secret: string | null = null): Promise<WebhookOverview> {
  const row = await readWebhook(platform.db, caller.account.id)
  return {
    webhook: row === null ? null : toWebhookEntry(row, platform.clock()),
    ...(secret === null ? {} : { secret }),
  }
}

async function switchTo(paused: boolean, { platform, caller }: Given): Promise<WebhookOverview> {
  const { db, changes, clock } = platform
  const { id: accountId } = caller.account
  await requireWebhook(db, accountId)
  await writeAccount(db, accountId, (trx) => (paused ? pauseWebhook(trx, null, clock()) : resumeWebhook(trx, clock())))
  changes.notify({ kind: 'delivery', accountId })
  return await readOverview({ platform, caller })
}

const changed = { 200: webhookOverview, 404: unknown }
const deliveryQuery = {
  state: choiceQuery(deliveryStates, 'waiting, sending, delivered or failed.'),
  file: textQuery('A file id.'),
  ...pageQuery(100, 500),
}

/** `webhook` (URL, secret, pause, test) and `deliveries` (spec 6, decision 9). */
export const webhookRoutes = [
  route('get /webhook', 'The webhook', { 200: webhookOverview }, (given) => readOverview(given)),
  route(
    'put /webhook',
    'Set its URL',
    { body: newWebhook, 200: webhookOverview },
    async ({ platform, caller, body }) => {
      const { db, changes, clock, config, guard } = platform
      const { account } = caller
      const url = await checkEndpoint(body.url, account, config.allowTargets, guard)
      const { secret } = await setWebhook(db, account.id, url, clock())
      changes.notify({ kind: 'account', accountId: account.id })
      return await readOverview({ platform, caller }, secret)
    },
  ),
  route('delete /webhook', 'Remove it', { 204: nothing }, async ({ platform: { db, changes, clock }, caller }) => {
    await removeWebhook(db, caller.account.id, clock())
    changes.notify({ kind: 'account', accountId: caller.account.id })
  }),
  route('post /webhook/secret', 'Rotate the secret; the old one also signs for 24 hours', changed, async (given) => {
    const { db, clock } = given.platform
    return await readOverview(given, await rotateSecret(db, given.caller.account.id, clock()))
  }),
  route('post /webhook/pause', 'Pause', changed, (given) => switchTo(true, given)),
  route('post /webhook/resume', 'Resume', changed, (given) => switchTo(false, given)),
  route('post /webhook/test', 'Send a test event', { 202: deliveryDetail, 404: unknown }, ({ platform, caller }) =>
    sendTestEvent(platform, caller.account.id),
  ),
  route(
    'get /deliveries',
    'List deliveries, the newest first',
    { query: deliveryQuery, 200: deliveryPage },
    ({ platform, caller, query: { state, file, cursor, limit } }) =>
      listDeliveries(platform.db, caller.account.id, { state, fileId: file, before: cursor, limit }),
  ),
  route('get /deliveries/{id}', 'One delivery in full', { 200: deliveryDetail }, ({ platform, caller, params }) =>
    readDelivery(platform.db, caller.account.id, params.id),
  ),
  route(
    'post /deliveries/{id}/redeliver',
    'Resend a delivery',
    { 202: deliveryDetail },
    async ({ platform, caller, params }) => {
      const { id } = await readDelivery(platform.db, caller.account.id, params.id)
      if ((await redeliver(platform, caller.account.id, { id })) === 0) {
        throw new ServiceError(409, 'This delivery is being sent right now.')
      }
      return await readDelivery(platform.db, caller.account.id, id)
    },
  ),
  route(
    'post /deliveries/redeliver',
    'Resend all that failed since a time',
    { body: redeliverFailed, 202: redelivered },
    async ({ platform, caller, body }) => ({
      count: await redeliver(platform, caller.account.id, { failedSince: Date.parse(body.failed_since) }),
    }),
  ),
]

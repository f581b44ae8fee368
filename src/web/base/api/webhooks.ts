import {
  type DeliveryDetail,
  deliveryDetail,
  deliveryPage,
  redelivered,
  type WebhookOverview,
  webhookOverview,
} from '../../../contract/account/webhooks.ts'
import { account } from './account.ts'
import { accountPages, accountQuery, askAccount, sendToAccount } from './account-call.ts'
import { queryText } from './addresses.ts'
import type { Session } from './client.ts'

/** Queries of the account's webhook and its deliveries (spec 6). */
export const webhooks = {
  all: (session: Session) => [...account.all(session), 'webhook'] as const,
  endpoint: (session: Session) => accountQuery(session, ['webhook', 'endpoint'], 'webhook', webhookOverview),
  deliveries: (session: Session, state: 'failed' | null) => {
    const path = (cursor: string | null) => `deliveries${queryText({ state, cursor, limit: '50' })}`
    return accountPages(session, ['webhook', 'deliveries', state], path, deliveryPage)
  },
  delivery: (session: Session, id: string) =>
    accountQuery(session, ['webhook', 'delivery', id], `deliveries/${encodeURIComponent(id)}`, deliveryDetail),
}

/** Sets the URL; the first response includes the signing secret. @throws ApiError 400 with what is wrong */
export async function setWebhook(session: Session, url: string): Promise<WebhookOverview> {
  return await askAccount(session, 'webhook', webhookOverview, { method: 'PUT', body: { url } })
}

/** Removes the URL and its signing secret. */
export async function removeWebhook(session: Session): Promise<void> {
  await sendToAccount(session, 'webhook', { method: 'DELETE' })
}

/** Rotates the secret, which only this response includes; the old one also signs for one more day. */
export async function rotateSecret(session: Session): Promise<WebhookOverview> {
  return await askAccount(session, 'webhook/secret', webhookOverview, { method: 'POST' })
}

/** Pauses or resumes deliveries. */
export async function pauseWebhook(session: Session, paused: boolean): Promise<WebhookOverview> {
  return await askAccount(session, `webhook/${paused ? 'pause' : 'resume'}`, webhookOverview, { method: 'POST' })
}

/** Queues a test event. */
export async function sendTestEvent(session: Session): Promise<DeliveryDetail> {
  return await askAccount(session, 'webhook/test', deliveryDetail, { method: 'POST' })
}

/** Retries one delivery. */
export async function redeliver(session: Session, id: string): Promise<DeliveryDetail> {
  return await askAccount(session, `deliveries/${encodeURIComponent(id)}/redeliver`, deliveryDetail, { method: 'POST' })
}

/** Retries all deliveries that failed since a time (ISO 8601). @returns how many */
export async function redeliverFailedSince(session: Session, failedSince: string): Promise<number> {
  const body = { failed_since: failedSince }
  return (await askAccount(session, 'deliveries/redeliver', redelivered, { method: 'POST', body })).count
}

import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db } from '../../platform/db/open.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Delivery, Webhook } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { notifyAccount } from '../notify-account.ts'
import { newSecret } from './delivery-request.ts'

/** After a rotation, the previous secret stays valid this long. */
const secretOverlapMs = 24 * 60 * 60 * 1_000

async function appendAccountEvent(trx: AccountTrx, now: number): Promise<void> {
  const webhook = await readWebhook(trx, trx.accountId)
  const paused = webhook !== null && webhook.paused_at !== null
  await appendEvent(trx, 'webhook', { paused, pause_reason: webhook?.pause_reason ?? null }, now)
  await appendLog(trx, { action: 'webhook', detail: webhook === null ? 'removed' : paused ? 'paused' : 'set' }, now)
}

/** The account's webhook, or null. */
export async function readWebhook(db: Db, accountId: string): Promise<Webhook | null> {
  const webhook = await db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return webhook ?? null
}

/**
 * Sets the webhook's URL, replacing a previous one but keeping its secret.
 * @param url validated by the caller
 * @returns the secret if it is new, as it is shown only once
 */
export async function setWebhook(
  db: Db,
  accountId: string,
  url: string,
  now: number,
): Promise<{ secret: string | null }> {
  return await writeAccount(db, accountId, async (trx) => {
    const secret = newSecret()
    const inserted = await trx
      .insertInto('webhooks')
      .values({ account_id: accountId, url, secret, simulate_failure: 0, created_at: now })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .executeTakeFirst()
    const isNew = (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
    if (!isNew) await trx.updateTable('webhooks').set({ url }).where('account_id', '=', accountId).execute()
    await appendAccountEvent(trx, now)
    return { secret: isNew ? secret : null }
  })
}

/** Removes the webhook with its secret; pending deliveries are not sent. */
export async function removeWebhook(db: Db, accountId: string, now: number): Promise<void> {
  await writeAccount(db, accountId, async (trx) => {
    await trx.deleteFrom('webhooks').where('account_id', '=', accountId).execute()
    await trx
      .updateTable('deliveries')
      .set({ state: 'failed', next_attempt_at: null, error: 'The webhook was removed.', updated_at: now })
      .where('account_id', '=', accountId)
      .where('state', 'in', ['waiting', 'sending'])
      .execute()
    await appendAccountEvent(trx, now)
  })
}

/** Creates a new secret; the previous one also signs for 24 h. @throws ServiceError 404 without webhook */
export async function rotateSecret(db: Db, accountId: string, now: number): Promise<string> {
  const secret = newSecret()
  const rotated = await db
    .updateTable('webhooks')
    .set((eb) => ({
      previous_secret: eb.ref('secret'),
      previous_secret_until: now + secretOverlapMs,
      secret,
    }))
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (rotated.numUpdatedRows === 0n) throw noWebhook()
  return secret
}

/** Reschedules the account's pending deliveries, and notifies its dashboards about the webhook. */
async function moveWaiting(trx: AccountTrx, when: Partial<Delivery>, now: number): Promise<void> {
  const waiting = trx.updateTable('deliveries').where('account_id', '=', trx.accountId).where('state', '=', 'waiting')
  await waiting.set(when).execute()
  await appendAccountEvent(trx, now)
}

/** Pauses all deliveries; nothing new is queued while paused. `reason` null: paused manually. */
export async function pauseWebhook(trx: AccountTrx, reason: string | null, now: number): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ paused_at: now, pause_reason: reason })
    .where('account_id', '=', trx.accountId)
    .where('paused_at', 'is', null)
    .execute()
  await moveWaiting(trx, { next_attempt_at: null }, now)
}

/** Ends a pause: pending deliveries are due at once, with a new retry schedule. */
export async function resumeWebhook(trx: AccountTrx, now: number): Promise<void> {
  const running = { paused_at: null, pause_reason: null }
  await trx.updateTable('webhooks').set(running).where('account_id', '=', trx.accountId).execute()
  await moveWaiting(trx, { next_attempt_at: now, retry_step: 0 }, now)
}

/**
 * Makes the account's webhook fail, or stop failing, for tests in the sandbox. @throws ServiceError 404 without webhook
 */
export async function simulateFailure(platform: Platform, accountId: string, fails: boolean): Promise<void> {
  await notifyAccount(platform, accountId, async (trx) => {
    const values = { simulate_failure: fails ? 1 : 0 }
    const changed = trx.updateTable('webhooks').set(values).where('account_id', '=', accountId)
    if ((await changed.executeTakeFirst()).numUpdatedRows === 0n) throw noWebhook()
  })
}

/** The account's webhook. @throws ServiceError 404 if it has none */
export async function requireWebhook(db: Db, accountId: string): Promise<Webhook> {
  const webhook = await readWebhook(db, accountId)
  if (webhook === null) throw noWebhook()
  return webhook
}

function noWebhook(): ServiceError {
  return new ServiceError(404, 'This account has no webhook. Set its URL first.')
}

import type { DeliveryDetail, DeliveryEntry, DeliveryPage, DeliveryTry } from '../../../contract/account/webhooks.ts'
import { sandboxRetentionMs } from '../../../contract/interface/limits.ts'
import type { Db } from '../../platform/db/open.ts'
import { appendEvent, insertDelivery } from '../../platform/db/outbox.ts'
import { type Cursor, cutPage, isAfter } from '../../platform/db/pages.ts'
import type { Delivery, DeliveryTryRow } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { StoredMessage } from './delivery-request.ts'
import { testEventFileId } from './delivery-request.ts'
import { requireWebhook } from './endpoint.ts'

/** Retention of delivered and failed deliveries. */
const deliveryRetentionMs = 30 * 24 * 60 * 60 * 1_000

function deliveryEntry(row: Delivery): DeliveryEntry {
  return {
    id: row.id,
    file_id: row.file_id,
    file_name: row.file_name,
    progress_percent: row.progress_percent,
    state: row.state,
    attempts: row.attempts,
    next_attempt: row.state === 'waiting' && row.next_attempt_at !== null ? iso(row.next_attempt_at) : null,
    response_status: row.response_status,
    response_ms: row.response_ms,
    error: row.error,
    created: iso(row.created_at),
    updated: iso(row.updated_at),
  }
}

function toDeliveryTry(row: DeliveryTryRow): DeliveryTry {
  const response = row.response_json === null ? null : (JSON.parse(row.response_json) as StoredMessage)
  return {
    number: row.number,
    at: iso(row.tried_at),
    status: row.status,
    ms: row.took_ms,
    error: row.error,
    request: JSON.parse(row.request_json) as StoredMessage,
    response,
    response_truncated: response?.truncated ?? false,
  }
}

export type DeliveryQuery = {
  state: Delivery['state'] | null
  fileId: string | null
  /** where the previous page ended */
  before: Cursor | null
  limit: number
}

/** Deliveries of an account, newest first. */
export async function listDeliveries(db: Db, accountId: string, query: DeliveryQuery): Promise<DeliveryPage> {
  const { state, fileId, before, limit } = query
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(state !== null, (select) => select.where('state', '=', state as Delivery['state']))
    .$if(fileId !== null, (select) => select.where('file_id', '=', fileId))
    .where(isAfter(before))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = cutPage(rows, limit)
  return { deliveries: page.map(deliveryEntry), next_cursor }
}

/**
 * One delivery with request and response of each attempt, newest first.
 * @throws ServiceError 404, for another account's too
 */
export async function readDelivery(db: Db, accountId: string, id: string): Promise<DeliveryDetail> {
  const row = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError(404, 'There is no such delivery.')
  const tries = await db
    .selectFrom('delivery_tries')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .execute()
  return { ...deliveryEntry(row), tries: tries.map(toDeliveryTry) }
}

/**
 * Queues one delivery again, or all that failed since a time, with the same ids and a new retry schedule. Skips one
 * that is being sent.
 * @throws ServiceError 404 without webhook, 409 while it is paused
 * @returns how many are queued again
 */
export async function redeliver(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  accountId: string,
  which: { id: string } | { failedSince: number },
): Promise<number> {
  const { paused_at } = await requireWebhook(db, accountId)
  if (paused_at !== null) throw new ServiceError(409, 'The webhook is paused. Resume it first.')
  const now = clock()
  const count = await writeAccount(db, accountId, async (trx) => {
    const update = trx
      .updateTable('deliveries')
      .set({ state: 'waiting', retry_step: 0, next_attempt_at: now, updated_at: now })
      .where('account_id', '=', accountId)
      .returning('id')
    const again = await ('id' in which
      ? update.where('id', '=', which.id).where('state', '!=', 'sending')
      : update.where('state', '=', 'failed').where('created_at', '>=', which.failedSince)
    ).execute()
    for (const { id } of again) await appendEvent(trx, 'delivery', { id }, now)
    return again.length
  })
  changes.notify({ kind: 'delivery', accountId })
  return count
}

/** Queues a test event: one attempt, even while paused. @throws ServiceError 404 without webhook */
export async function sendTestEvent(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  accountId: string,
): Promise<DeliveryDetail> {
  const now = clock()
  const id = await writeAccount(db, accountId, async (trx) => {
    await requireWebhook(trx, accountId)
    const about = { file_id: null, file_name: testEventFileId, progress_percent: 0 }
    const made = await insertDelivery(trx, about, now)
    await appendEvent(trx, 'delivery', { id: made }, now)
    return made
  })
  changes.notify({ kind: 'delivery', accountId })
  return await readDelivery(db, accountId, id)
}

/** Deletes old completed deliveries; in the sandbox after 24 hours, as its files (spec 1, rule 4). */
export async function purgeDeliveries({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const over = db.deleteFrom('deliveries').where('state', 'in', ['delivered', 'failed'])
  await over.where('updated_at', '<', clock() - deliveryRetentionMs).execute()
  await db
    .deleteFrom('deliveries')
    .where('created_at', '<', clock() - sandboxRetentionMs)
    .where('account_id', 'in', (query) =>
      query.selectFrom('accounts').select('id').where('environment', '=', 'sandbox'),
    )
    .execute()
}

import { randomUUID } from 'node:crypto'
import type { AccountEventData, AccountEventKind } from '../../contract/account-events.ts'
import { mintId } from '../ids.ts'
import type { Trx } from './open.ts'
import type { Delivery } from './schema.ts'

/**
 * The next file version, the cursor of changed-since reads. Call once for each change of a file's row, in the transaction
 * of the change.
 */
export async function nextFileVersion(trx: Trx): Promise<number> {
  const { value } = await trx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'file_version')
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

/**
 * Queues an event for the account's dashboards, in the transaction of the change. Kinds and data: `account-events.ts`.
 */
export async function appendEvent<Kind extends AccountEventKind>(
  trx: Trx,
  accountId: string,
  kind: Kind,
  data: AccountEventData<Kind>,
  now: number,
): Promise<void> {
  await trx
    .insertInto('events')
    .values({ account_id: accountId, kind, data_json: JSON.stringify(data), created_at: now })
    .execute()
}

/** Queues a job of a file, in the transaction that makes it due. Kinds: `jobKinds` in `service.ts`. */
export async function enqueueJob(
  trx: Trx,
  file: { id: string; account_id: string },
  kind: string,
  now: number,
): Promise<void> {
  await trx
    .insertInto('jobs')
    .values({
      id: mintId('j'),
      kind,
      file_id: file.id,
      account_id: file.account_id,
      state: 'waiting',
      run_after: now,
      attempts: 0,
      payload_json: '{}',
      created_at: now,
    })
    .execute()
}

/**
 * Queues the webhook for a file's new progress (spec 6), in the transaction of the change, so that the event cannot
 * arrive before the change can be read. Waiting events of one file collapse into one (decision 9). Does nothing where
 * the account has no webhook or has paused it.
 */
export async function enqueueDelivery(
  trx: Trx,
  file: { id: string; account_id: string; name: string; progress_percent: number },
  now: number,
): Promise<void> {
  const webhook = await trx
    .selectFrom('webhooks')
    .select('paused_at')
    .where('account_id', '=', file.account_id)
    .executeTakeFirst()
  if (webhook === undefined || webhook.paused_at !== null) return
  const collapsed = await trx
    .updateTable('deliveries')
    .set({ progress_percent: file.progress_percent, updated_at: now })
    .where('file_id', '=', file.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (collapsed.numUpdatedRows > 0n) return
  const { id, account_id, name, progress_percent } = file
  await insertDelivery(trx, { account_id, file_id: id, file_name: name, progress_percent }, now)
}

/** Queues a delivery that is due at once. @returns its id, the message id of Standard Webhooks */
export async function insertDelivery(
  trx: Trx,
  about: Pick<Delivery, 'account_id' | 'file_id' | 'file_name' | 'progress_percent'>,
  now: number,
): Promise<string> {
  const id = `msg_${randomUUID().replaceAll('-', '')}`
  await trx
    .insertInto('deliveries')
    .values({
      ...about,
      id,
      state: 'waiting',
      attempts: 0,
      retry_step: 0,
      next_attempt_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

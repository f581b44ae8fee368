import { randomUUID } from 'node:crypto'
import type { AccountEventData, AccountEventKind } from '../../../contract/account/events.ts'
import { mintId } from '../ids.ts'
import type { Delivery, Job } from './schema.ts'
import type { AccountTrx } from './write-account.ts'

/** Increments one of the account's cursors. Under the account's lock, no reader sees a cursor before a lower one. */
async function next(trx: AccountTrx, cursor: 'file_version' | 'event_seq', by = 1): Promise<number> {
  const counted = await trx
    .insertInto('account_cursors')
    .values({ account_id: trx.accountId, [cursor]: by })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ [cursor]: eb(`account_cursors.${cursor}`, '+', by) })),
    )
    .returning(cursor)
    .executeTakeFirstOrThrow()
  return counted[cursor]
}

/**
 * The next file version, the cursor of changed-since reads. Call once per change of a file's row, or once for many: it
 * returns the last of `count` versions, each for a different file.
 */
export function nextFileVersion(trx: AccountTrx, count = 1): Promise<number> {
  return next(trx, 'file_version', count)
}

/** Queues an event for the account's dashboards. Kinds and data: `src/contract/account/events.ts`. */
export async function appendEvent<Kind extends AccountEventKind>(
  trx: AccountTrx,
  kind: Kind,
  data: AccountEventData<Kind>,
  now: number,
): Promise<void> {
  const seq = await next(trx, 'event_seq')
  await trx
    .insertInto('events')
    .values({ account_id: trx.accountId, seq, kind, data_json: JSON.stringify(data), created_at: now })
    .execute()
}

/** What a job does: `jobKinds` in `service.ts`. */
export type JobName =
  | 'speech'
  | 'peaks'
  | 'type'
  | 'parts'
  | 'release'
  | 'render'
  | 'remove-recording'
  | 'caption-track'
  | 'draw-captions'
  | 'small-picture'
  | 'shots'

/**
 * Queues a job of a file, in the transaction that makes it due.
 * @param more also with `created_at`, its position among the account's jobs of its kind
 */
export async function enqueueJob(
  trx: AccountTrx,
  fileId: string,
  kind: JobName,
  now: number,
  more: Partial<Pick<Job, 'step' | 'payload_json' | 'created_at'>> = {},
): Promise<void> {
  await trx
    .insertInto('jobs')
    .values({
      id: mintId('j'),
      kind,
      file_id: fileId,
      account_id: trx.accountId,
      state: 'waiting',
      run_after: now,
      attempts: 0,
      payload_json: '{}',
      created_at: now,
      ...more,
    })
    .execute()
}

/**
 * Queues the webhook delivery for a file's new progress (spec 6), in the transaction of the change, so that the event
 * cannot arrive before the change is readable. Pending events of one file collapse into one (decision 9). Does nothing
 * if the account has no webhook or has paused it.
 */
export async function enqueueDelivery(
  trx: AccountTrx,
  file: { id: string; name: string; progress_percent: number },
  now: number,
): Promise<void> {
  const webhook = await trx
    .selectFrom('webhooks')
    .select('paused_at')
    .where('account_id', '=', trx.accountId)
    .executeTakeFirst()
  if (webhook === undefined || webhook.paused_at !== null) return
  const collapsed = await trx
    .updateTable('deliveries')
    .set({ progress_percent: file.progress_percent, updated_at: now })
    .where('file_id', '=', file.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (collapsed.numUpdatedRows > 0n) return
  const { id, name, progress_percent } = file
  await insertDelivery(trx, { file_id: id, file_name: name, progress_percent }, now)
}

/** Queues a delivery that is due immediately. @returns its id, the message id of Standard Webhooks */
export async function insertDelivery(
  trx: AccountTrx,
  about: Pick<Delivery, 'file_id' | 'file_name' | 'progress_percent'>,
  now: number,
): Promise<string> {
  const id = `msg_${randomUUID().replaceAll('-', '')}`
  await trx
    .insertInto('deliveries')
    .values({
      ...about,
      account_id: trx.accountId,
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

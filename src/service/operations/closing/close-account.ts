import type { AccountClosing } from '../../../contract/account/account.ts'
import { type ClosedAccount, comeBackDays } from '../../../contract/account/closing.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { notifyAccount } from '../../accounts/notify-account.ts'
import { deleteFile } from '../../orders/file/delete.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Closing } from '../../platform/db/schema.ts'
import { mintId } from '../../platform/ids.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readMoneyLeft } from './money-left.ts'

/*
 * A closed account reads and exports, has its balance paid back, and changes nothing else (`require-key.ts`). It can come
 * back until it is due to be erased; then a chore erases it.
 */

const lockedFrom = 60

function toClosing({ id, closed_at, erase_at }: Closing): AccountClosing {
  return { closed: iso(closed_at), erases: iso(erase_at), statement: `/closed/${id}` }
}

/** The closing of an account; undefined: it is open. */
export async function findClosing(db: Db, accountId: string): Promise<Closing | undefined> {
  return await db.selectFrom('closings').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** @returns null for an account that is open */
export async function readClosing(db: Db, accountId: string): Promise<AccountClosing | null> {
  const closing = await findClosing(db, accountId)
  return closing === undefined ? null : toClosing(closing)
}

/**
 * Closes an account: it orders nothing from now on. May be repeated: it stays closed since the first time. A chore
 * cancels what is unfinished.
 * @param byWhom for the log of the account
 */
export async function beginClosing(
  platform: Pick<Platform, 'db' | 'changes' | 'clock'>,
  accountId: string,
  byWhom: 'owner' | 'operator',
): Promise<Closing> {
  const now = platform.clock()
  const row = {
    id: mintId('cls_'),
    account_id: accountId,
    closed_at: now,
    erase_at: now + comeBackDays * dayMs,
    erased_at: null,
    report_json: null,
  }
  await notifyAccount(platform, accountId, async (trx) => {
    const closed = trx.updateTable('accounts').set({ closed_at: now }).where('id', '=', accountId)
    const { numUpdatedRows } = await closed.where('closed_at', 'is', null).executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await trx.insertInto('closings').values(row).execute()
    await appendLog(trx, { action: 'account', detail: `closed by the ${byWhom}` }, now)
  })
  return (await findClosing(platform.db, accountId)) ?? row
}

/**
 * The same, and cancels at once what is unfinished, by the rules of deletion (spec 3).
 * @throws ServiceError 503 if storage is away
 */
export async function closeAccount(platform: Platform, accountId: string): Promise<ClosedAccount> {
  const closing = toClosing(await beginClosing(platform, accountId, 'owner'))
  const canceled = await cancelUnfinished(platform, accountId)
  const { finishing } = await countUnfinished(platform.db, accountId)
  const { balance_cents, due_cents } = await readMoneyLeft(platform.db, accountId)
  return { ...closing, ...canceled, finishing, balance_cents, due_cents }
}

/** Orders that are not ready: `canceled`: those that closing cancels; `finishing`: those that it finishes. */
export async function countUnfinished(db: Db, accountId: string): Promise<{ canceled: number; finishing: number }> {
  const unfinished = db
    .selectFrom('files')
    .select('progress_percent')
    .where('account_id', '=', accountId)
    .where('progress_percent', '<', 100)
    .where('given_up', '=', 0)
  const rows = await unfinished.execute()
  const canceled = rows.filter(({ progress_percent }) => progress_percent < lockedFrom).length
  return { canceled, finishing: rows.length - canceled }
}

/** Deletes orders that may be deleted before they are ready, with their refund; those from 60 % on are finished. */
async function cancelUnfinished(
  platform: Platform,
  accountId: string,
): Promise<{ canceled: number; refund_cents: number }> {
  const unfinished = await platform.db
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('progress_percent', '<', lockedFrom)
    .where('given_up', '=', 0)
    .execute()
  const sum = { canceled: 0, refund_cents: 0 }
  for (const { id } of unfinished) {
    try {
      sum.refund_cents += (await deleteFile(platform, accountId, id)).refundCents
      sum.canceled += 1
    } catch (error) {
      // It went on, or was deleted, in this moment.
      if (!(error instanceof ServiceError && [404, 409].includes(error.status))) throw error
    }
  }
  return sum
}

/** Cancels what a crash in the middle of a closing left, or an order that was just being made. */
export async function cancelOfClosed(platform: Platform): Promise<void> {
  const left = await platform.db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select('files.account_id')
    .distinct()
    .where('accounts.closed_at', 'is not', null)
    .where('progress_percent', '<', lockedFrom)
    .where('given_up', '=', 0)
    .execute()
  for (const { account_id } of left) await cancelUnfinished(platform, account_id)
}

/** Opens a closed account again; an open one stays open. @throws ServiceError 409 once its erasure has begun */
export async function reopenAccount(
  platform: Pick<Platform, 'db' | 'changes' | 'clock'>,
  accountId: string,
): Promise<void> {
  const now = platform.clock()
  await notifyAccount(platform, accountId, async (trx) => {
    const closing = await findClosing(trx, accountId)
    if (closing === undefined) return
    if (closing.erase_at <= now) throw new ServiceError(409, 'This account is being erased and cannot come back.')
    await trx.deleteFrom('closings').where('account_id', '=', accountId).execute()
    await trx.updateTable('accounts').set({ closed_at: null }).where('id', '=', accountId).execute()
    await appendLog(trx, { action: 'account', detail: 'reopened' }, now)
  })
}

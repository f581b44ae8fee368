import type { Db } from '../../platform/db/open.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'

/** A stream disconnected for longer reloads everything. */
export const eventRetentionMs = 60 * 60 * 1_000
/** A dashboard disconnected for longer reloads all pages. */
export const tombstoneRetentionMs = 30 * 24 * 60 * 60 * 1_000

type Purged = { account_id: string; last: number }

/** Deletes an account's events or tombstones, and records up to which one. */
async function purge(db: Db, cursor: 'events_purged' | 'tombstones_purged', { account_id, last }: Purged) {
  await writeAccount(db, account_id, async (trx) => {
    await trx
      .updateTable('account_cursors')
      .set({ [cursor]: last })
      .where('account_id', '=', account_id)
      .where(cursor, '<', last)
      .execute()
    await (cursor === 'events_purged'
      ? trx.deleteFrom('events').where('seq', '<=', last).where('account_id', '=', account_id)
      : trx.deleteFrom('deleted_files').where('version', '<=', last).where('account_id', '=', account_id)
    ).execute()
  })
}

/** Deletes old events; a stream with a longer gap gets `resync`. */
export async function purgeEvents({ db, clock }: Platform): Promise<void> {
  const old = await db
    .selectFrom('events')
    .select((eb) => ['account_id', eb.fn.max('seq').as('last')])
    .where('created_at', '<', clock() - eventRetentionMs)
    .groupBy('account_id')
    .execute()
  for (const purged of old) await purge(db, 'events_purged', purged)
}

/** Deletes old tombstones of files. */
export async function purgeTombstones({ db, clock }: Platform): Promise<void> {
  const old = await db
    .selectFrom('deleted_files')
    .select((eb) => ['account_id', eb.fn.max('version').as('last')])
    .where('deleted_at', '<', clock() - tombstoneRetentionMs)
    .groupBy('account_id')
    .execute()
  for (const purged of old) await purge(db, 'tombstones_purged', purged)
}

import type { Db } from '../db/open.ts'
import type { Platform } from '../platform.ts'

/** A stream that was away for longer reads everything again. */
export const eventRetentionMs = 60 * 60 * 1_000
/** A dashboard that was away for longer reads all pages again. */
export const tombstoneRetentionMs = 30 * 24 * 60 * 60 * 1_000

async function raiseCounter(db: Db, name: string, value: number | null): Promise<void> {
  if (value === null) return
  await db.updateTable('counters').set({ value }).where('name', '=', name).where('value', '<', value).execute()
}

/** Deletes old events and notes up to which id, so that a stream with a longer gap gets `resync`. */
export async function purgeEvents({ db, clock }: Platform): Promise<void> {
  const before = clock() - eventRetentionMs
  const { last } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  if (last === null) return
  await db.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'events_purged', last)
    await trx.deleteFrom('events').where('id', '<=', last).execute()
  })
}

/** Deletes old tombstones of files and notes up to which version. */
export async function purgeTombstones({ db, clock }: Platform): Promise<void> {
  const before = clock() - tombstoneRetentionMs
  const { last } = await db
    .selectFrom('deleted_files')
    .select((eb) => eb.fn.max('version').as('last'))
    .where('deleted_at', '<', before)
    .executeTakeFirstOrThrow()
  if (last === null) return
  await db.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'tombstones_purged', last)
    await trx.deleteFrom('deleted_files').where('version', '<=', last).execute()
  })
}

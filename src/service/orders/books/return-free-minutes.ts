import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'

/** Gives free minutes back like money: by what is left to do of an order that is deleted or given up. */
export async function returnFreeMinutes(
  trx: AccountTrx,
  { id }: Pick<FileRow, 'id'>,
  progressPercent: number,
): Promise<void> {
  const row = await trx.selectFrom('free_minutes').select('ms').where('file_id', '=', id).executeTakeFirst()
  if (row === undefined) return
  const ms = Math.round((row.ms * progressPercent) / 100)
  await trx.updateTable('free_minutes').set({ ms }).where('file_id', '=', id).execute()
}

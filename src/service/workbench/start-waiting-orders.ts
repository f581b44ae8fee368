import { type SqlBool, sql } from 'kysely'
import { hasTypists } from '../orders/create/write-order.ts'
import { patchFile, writeFile } from '../orders/file/change-file.ts'
import { delayReasons } from '../orders/file/delays.ts'
import { isUnfinished } from '../orders/file/unbegun.ts'
import { enqueueJob } from '../platform/db/outbox.ts'
import type { Platform } from '../platform/platform.ts'

const ordersAtOnce = 100

/** Of a query with `files`: neither recognized nor cut into parts, and no job does either. */
const notBegun = sql<SqlBool>`not exists (select 1 from work_parts where file_id = files.id)
  and not exists (select 1 from jobs where file_id = files.id and kind in ('speech', 'parts'))`

/** Starts orders that arrived while there were no typists, once there are some. */
export async function startWaitingOrders({ db, changes, clock }: Platform): Promise<void> {
  if (!(await hasTypists(db))) return
  const waiting = await db
    .selectFrom('files')
    .select('id')
    .where('environment', '=', 'live')
    // That nobody types, or why an operator has put it off meanwhile.
    .where('delay_reason', 'is not', null)
    .where('options_json', 'like', '%"transcript_type":"manual"%')
    .where('progress_percent', '=', 0)
    .where(isUnfinished)
    .where(notBegun)
    .limit(ordersAtOnce)
    .execute()
  for (const { id } of waiting) {
    await writeFile(db, id, async (trx, file) => {
      const stillWaits = trx.selectFrom('files').select('id').where('id', '=', id).where(notBegun)
      if ((await stillWaits.executeTakeFirst()) === undefined) return
      // A reason that an operator gave for a later date stays.
      if (file.delay_reason === delayReasons.typists) await patchFile(trx, file, { delay_reason: null }, clock())
      await enqueueJob(trx, id, 'speech', clock())
    })
  }
  if (waiting.length > 0) changes.notify({ kind: 'job' })
}

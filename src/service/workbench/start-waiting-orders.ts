import { hasTypists } from '../orders/create/write-order.ts'
import { patchFile, writeFile } from '../orders/file/change-file.ts'
import { delayReasons } from '../orders/file/delays.ts'
import { enqueueJob } from '../platform/db/outbox.ts'
import type { Platform } from '../platform/platform.ts'

const ordersAtOnce = 100

/** Starts orders that arrived while there were no typists, once there are some. */
export async function startWaitingOrders({ db, changes, clock }: Platform): Promise<void> {
  if (!(await hasTypists(db))) return
  const waiting = await db
    .selectFrom('files')
    .select('id')
    .where('delay_reason', '=', delayReasons.typists)
    .where('progress_percent', '=', 0)
    .where('given_up', '=', 0)
    .limit(ordersAtOnce)
    .execute()
  for (const { id } of waiting) {
    await writeFile(db, id, async (trx, file) => {
      if (file.delay_reason !== delayReasons.typists) return
      await patchFile(trx, file, { delay_reason: null }, clock())
      await enqueueJob(trx, id, 'speech', clock())
    })
  }
  if (waiting.length > 0) changes.notify({ kind: 'job' })
}

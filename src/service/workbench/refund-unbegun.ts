import { writeFile } from '../orders/file/change-file.ts'
import { isUnbegun } from '../orders/file/unbegun.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { Platform } from '../platform/platform.ts'
import { endOrder } from './manage.ts'

const ordersAtOnce = 100

function unbegun(db: Db | Trx, now: number) {
  return (db as Db).selectFrom('files').select('id').where('delivery_at', '<=', now).where(isUnbegun(now))
}

/**
 * Gives manual orders back in full that nobody has begun when their delivery date comes (decision 145). Each is one
 * transaction, which a crash leaves undone or done; the next pass does the rest.
 */
export async function refundUnbegun(platform: Platform): Promise<void> {
  const { db, clock, changes, log } = platform
  for (const { id } of await unbegun(db, clock()).limit(ordersAtOnce).execute()) {
    const ended = await writeFile(db, id, (trx, file) =>
      endOrder(
        trx,
        file,
        { reason: 'not-begun', words: 'Nobody had begun this order on its delivery date.' },
        clock(),
        async () => {
          // Whoever has claimed a part since, or moved the date, keeps it.
          return (await unbegun(trx, clock()).where('files.id', '=', id).executeTakeFirst()) !== undefined
        },
      ),
    )
    if (ended == null) continue
    changes.notify({ kind: 'file', accountId: ended.account_id, fileId: id })
    changes.notify({ kind: 'delivery', accountId: ended.account_id })
    await platform.blobs.remove(id, 'sound')
    log.warn({ fileId: id }, 'nobody has begun a manual order by its delivery date: it is refunded in full')
  }
}

import type { Platform } from '../platform.ts'
import { voidLeftCharges } from './charge.ts'

/**
 * Puts right what a crash in the middle of an order or a deletion has left: charges without an order are given up, and
 * bytes without a file are removed. Call at the start, before requests come.
 */
export async function recoverOrders(platform: Platform): Promise<void> {
  const { db, blobs } = platform
  await voidLeftCharges(platform, Number.MAX_SAFE_INTEGER)
  for await (const id of blobs.ids()) {
    const file = await db.selectFrom('files').select('id').where('id', '=', id).executeTakeFirst()
    if (file === undefined) await blobs.remove(id)
  }
}

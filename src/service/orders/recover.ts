import type { Platform } from '../platform.ts'
import { voidLeftCharges } from './charge.ts'

/**
 * Cleans up after a crash in the middle of an order or a deletion: charges without an order are voided, and bytes
 * without a file are removed. Call it at the start, before there are requests.
 */
export async function recoverOrders(platform: Platform): Promise<void> {
  const { db, blobs } = platform
  await voidLeftCharges(platform, Number.MAX_SAFE_INTEGER)
  for await (const id of blobs.ids()) {
    const file = await db.selectFrom('files').select('id').where('id', '=', id).executeTakeFirst()
    if (file === undefined) await blobs.remove(id)
  }
}

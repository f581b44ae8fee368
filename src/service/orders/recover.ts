import type { Platform } from '../platform.ts'

/**
 * Removes bytes without a file, which a crash in the middle of an order or a deletion leaves. Call it at the start,
 * before there are requests.
 */
export async function removeOrphans({ db, blobs }: Platform): Promise<void> {
  const known = new Set((await db.selectFrom('files').select('id').execute()).map(({ id }) => id))
  for await (const id of blobs.ids()) if (!known.has(id)) await blobs.remove(id)
}

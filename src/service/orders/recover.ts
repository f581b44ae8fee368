import type { Platform } from '../platform.ts'

/**
 * Removes bytes without a file, which a crash in the middle of an order or a deletion leaves.
 * @param changedBefore (milliseconds since 1970) what has changed since stays: it may be of work under way, here or on
 * another node. Infinity: nobody is at work.
 */
export async function removeOrphans({ db, blobs }: Platform, changedBefore: number): Promise<void> {
  await blobs.removeStaged(changedBefore)
  const known = new Set((await db.selectFrom('files').select('id').execute()).map(({ id }) => id))
  for await (const id of blobs.ids(changedBefore)) if (!known.has(id)) await blobs.remove(id)
}

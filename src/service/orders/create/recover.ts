import type { Platform } from '../../platform/platform.ts'

/**
 * Removes orphaned bytes, which a crash during an order or a deletion leaves.
 * @param changedBefore (milliseconds since 1970) skips anything changed since: it may belong to work in progress, here
 *   or on another node. Infinity: there is none.
 */
export async function removeOrphans({ db, blobs }: Platform, changedBefore: number): Promise<void> {
  // Uploads come first: one that becomes a file in between is in one of the two lists.
  const uploads = await db.selectFrom('uploads').select('object_id').where('file_id', 'is', null).execute()
  const kept = new Set(uploads.flatMap(({ object_id }) => object_id ?? []))
  await blobs.removeStaged(changedBefore, kept)
  const files = await db.selectFrom('files').select('id').execute()
  const known = new Set([...kept, ...files.map(({ id }) => id)])
  for await (const id of blobs.ids(changedBefore)) if (!known.has(id)) await blobs.remove(id)
}

import type { Platform } from '../../platform/platform.ts'

/**
 * Removes bytes without a file, which a crash in the middle of an order or a deletion leaves.
 * @param changedBefore (milliseconds since 1970) what has changed since stays: it may be of work under way, here or on
 * another node. Infinity: nobody is at work.
 */
export async function removeOrphans({ db, blobs }: Platform, changedBefore: number): Promise<void> {
  // Uploads come first: one that becomes a file meanwhile is in one of both lists.
  const uploads = await db.selectFrom('uploads').select('object_id').where('file_id', 'is', null).execute()
  const kept = new Set(uploads.flatMap(({ object_id }) => object_id ?? []))
  await blobs.removeStaged(changedBefore, kept)
  const files = await db.selectFrom('files').select('id').execute()
  const known = new Set([...kept, ...files.map(({ id }) => id)])
  for await (const id of blobs.ids(changedBefore)) if (!known.has(id)) await blobs.remove(id)
}

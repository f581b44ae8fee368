import type { Patch } from '../../contract/account/corrections.ts'
import type { Db } from '../platform/db/open.ts'

/**
 * Counts words that customers have corrected since delivery, by part: errors missed in review, or preferences. Parts
 * without corrections are absent.
 * @param fileId of one order; null for all
 */
export async function changedByCustomer(db: Db, fileId: string | null): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('correction_patches')
    .innerJoin('work_parts', 'work_parts.file_id', 'correction_patches.file_id')
    .select(['work_parts.id', 'position', 'start_ms', 'end_ms', 'patch_json'])
    .where('position', '>', 0)
    .$if(fileId !== null, (query) => query.where('work_parts.file_id', '=', fileId ?? ''))
    .execute()
  const changed = new Map<string, number>()
  for (const { id, start_ms, end_ms, patch_json } of rows) {
    const { startSeconds, old, words }: Patch = JSON.parse(patch_json)
    const ms = startSeconds * 1_000
    if (ms < start_ms || ms >= end_ms) continue
    changed.set(id, (changed.get(id) ?? 0) + Math.max(old.length, words.length))
  }
  return changed
}

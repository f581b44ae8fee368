import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { identifyText } from '../transcripts/render-transcript.ts'
import type { TextIdentity } from '../transcripts/rendering.ts'

/**
 * Identifies a finished file's text. Its words are read once, since they change only together with `ready_at`.
 * @throws ServiceError 500 if they are lost or damaged
 */
export async function textIdentity(platform: Platform, file: FileRow): Promise<TextIdentity> {
  const { db } = platform
  const ready_at = file.ready_at ?? 0
  const known = await db
    .selectFrom('texts')
    .select(['fingerprint', 'words'])
    .where('file_id', '=', file.id)
    .where('ready_at', '=', ready_at)
    .executeTakeFirst()
  if (known !== undefined) return known
  const text = await identifyText(platform, file)
  // Not if the file has been deleted.
  await db
    .insertInto('texts')
    .columns(['file_id', 'ready_at', 'fingerprint', 'words'])
    .expression((eb) =>
      eb
        .selectFrom('files')
        .select(({ val }) => [
          'id',
          val(ready_at).as('ready_at'),
          val(text.fingerprint).as('f'),
          val(text.words).as('w'),
        ])
        .where('id', '=', file.id),
    )
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet({ ready_at, ...text }))
    .execute()
  return text
}

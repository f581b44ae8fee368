import { parseLabels } from '../../orders/labels/change-labels.ts'
import type { Db } from '../../platform/db/open.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { loadCorrections } from '../corrections/read-corrections.ts'
import { countPieces } from '../transcripts/done-pieces.ts'
import { describeFile, finishedWords } from '../transcripts/rendering-input.ts'
import { wordsSoFar } from '../transcripts/work-in-progress-texts.ts'
import { tagWord } from './query.ts'
import type { Source } from './search-protocol.ts'

/** The columns that a file's stamp depends on. */
export type Stamped = Pick<FileRow, 'id' | 'name' | 'labels_json' | 'ready_at' | 'progress_percent'> & {
  revision: number | null
}

/** All searchable names of a file: its names, tags (each followed by the word that `tag:` is read as) and its note. */
function displayName(file: Pick<FileRow, 'name' | 'labels_json'>): string {
  const { name, tags, note } = parseLabels(file)
  return [file.name, name, ...tags.map((tag) => `${tagWord} ${tag}`), note]
    .filter((text) => text !== '')
    .join(' \u00b7 ')
}

/** Identifies the indexed state of a file: if it differs, the file is read again. Begins with `textStamp`. */
export function sourceStamp(file: Stamped, pieces: number): string {
  const soFar = file.progress_percent < 100 ? `${pieces} ${file.progress_percent}` : 'all'
  return `${textStamp(file)} ${soFar} ${displayName(file)}`
}

/** Identifies a file's finished, currently corrected text: matches of another one are not shown. */
export function textStamp({ ready_at, revision }: Pick<Stamped, 'ready_at' | 'revision'>): string {
  return `${ready_at ?? 0}.${revision ?? 0}`
}

/** Files with the revisions of their corrections. */
export function stampedFiles(db: Db) {
  return db
    .selectFrom('files')
    .leftJoin('corrections', 'corrections.file_id', 'files.id')
    .select([
      'files.id',
      'name',
      'labels_json',
      'ready_at',
      'progress_percent',
      'created_at',
      'corrections.revision',
      'expires_at',
    ])
}

/** The current content of a file for the index; null if it is deleted. */
export async function readSource(platform: Platform, fileId: string): Promise<Source | null> {
  const { db, blobs } = platform
  const file = await stampedFiles(db).selectAll('files').where('files.id', '=', fileId).executeTakeFirst()
  if (file === undefined) return null
  const isReady = file.progress_percent === 100
  const isCorrected = isReady && (file.revision ?? 0) > 0
  const kept = isCorrected ? await loadCorrections(db, fileId) : { revision: 0, set: null }
  const pieces = isReady ? 0 : await countPieces(db, fileId)
  const words = isReady ? await finishedWords(blobs, fileId) : await wordsSoFar(platform, file)
  return {
    id: fileId,
    accountId: file.account_id,
    name: displayName(file),
    createdAt: file.created_at,
    stamp: sourceStamp({ ...file, revision: kept.revision }, pieces),
    text: isReady || pieces > 0 ? { about: describeFile(file), words } : null,
    corrections: kept.set,
  }
}

import type { ExportedFile } from '../../../contract/account/export.ts'
import { extensionOfName } from '../../../contract/interface/media-formats.ts'
import { exportedFormats } from '../../../contract/interface/transcript-formats.ts'
import { readFileEntry } from '../../orders/file-pages.ts'
import { parseLabels } from '../../orders/labels/change-labels.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { parseCaptionRules } from '../../text/corrections/caption-rules.ts'
import { correctionsNow } from '../../text/corrections/corrected-text.ts'
import { loadCorrections } from '../../text/corrections/read-corrections.ts'
import { assembleReview } from '../../text/corrections/review.ts'
import { renderAs } from '../../text/transcripts/render-transcript.ts'

/** A document of the archive. */
export type Document = { name: string; content: string | Buffer; changedAt: number }

/** As JSON for people, too. */
export const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** A folder of its own for each file, by the name that the screens show, in characters that every system can hold. */
export function folderOf(file: Pick<FileRow, 'id' | 'name' | 'labels_json'>): string {
  const { id } = file
  const name = parseLabels(file).name || file.name
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  const safe = name.replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '_').slice(0, 80)
  return `files/${safe.replace(/[. ]+$/, '')} (${id})`
}

/** The recording's name in the archive. */
export function recordingName(file: FileRow): string {
  const extension = extensionOfName(`x.${file.media_extension}`) ?? file.media_extension
  return `${folderOf(file)}/recording.${extension}`
}

async function describe(platform: Platform, file: FileRow): Promise<ExportedFile> {
  const { db } = platform
  const changes = db.selectFrom('correction_changes').selectAll().where('file_id', '=', file.id).orderBy('revision')
  const places = db.selectFrom('vocabulary_places').selectAll().where('file_id', '=', file.id).orderBy('from_word')
  return {
    file: await readFileEntry(db, file, null),
    corrections: await loadCorrections(db, file.id),
    changes: (await changes.execute()).map(({ revision, created_at, key_name, label, name, change_json }) => {
      return { revision, saved: iso(created_at), key: key_name, label, name, change: JSON.parse(change_json) }
    }),
    review: file.progress_percent < 100 ? null : await assembleReview(platform, file),
    vocabulary: (await places.execute()).map(({ from_word, to_word, written, text, is_undone }) => {
      return { from_word, to_word, written, text, undone: is_undone === 1 }
    }),
  }
}

/** All that the archive has of a file but its recording. One whose words are lost says so. */
export async function* fileDocuments(platform: Platform, file: FileRow): AsyncGenerator<Document> {
  const folder = folderOf(file)
  const changedAt = file.ready_at ?? file.created_at
  yield { name: `${folder}/file.json`, content: asJson(await describe(platform, file)), changedAt }
  if (file.progress_percent < 100) return
  const corrections = await correctionsNow(platform, file).catch(() => undefined)
  const rules = parseCaptionRules(file) ?? null
  for (const [stem, given] of [
    ['transcript', { corrections: null, rules }],
    ['corrected', { corrections, rules }],
  ] as const) {
    if (given.corrections === undefined) continue
    for (const format of exportedFormats) {
      try {
        const rendered = await renderAs(platform, file, format, given, 'thread')
        const parts: Uint8Array[] = await Array.fromAsync(rendered)
        yield { name: `${folder}/${stem}.${format}`, content: Buffer.concat(parts), changedAt }
      } catch (error) {
        platform.log.warn({ err: error, fileId: file.id }, 'a transcript could not be exported')
        const words = 'The words of this file were lost or damaged on the service.\n'
        yield { name: `${folder}/${stem}.${format}.lost.txt`, content: words, changedAt }
      }
    }
  }
}

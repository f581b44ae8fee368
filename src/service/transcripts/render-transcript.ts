import { Readable } from 'node:stream'
import type { TranscriptFormat } from '../../contract/transcript-formats.ts'
import { renderPdf } from '../../formats/documents/pdf/pdf.ts'
import { renderFormat } from '../../formats/render-format.ts'
import { renderWorkInProgress } from '../../formats/txt.ts'
import type { FileRow } from '../db/schema.ts'
import type { BlobPart } from '../media/blob-store.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import { pdfKit } from './pdf-kit.ts'
import { transcriptOf } from './transcript-of.ts'

/** A rendering, ready to be sent. `format` is what it is: below 100 always the work-in-progress txt (spec 4.4). */
export type RenderedTranscript = { format: TranscriptFormat; bytes: number; content: Readable }

/** Goes up when any format comes out differently than before, so that no rendering of older code is served. */
const renderingVersion = 1

/** Renderings that are being made, by platform, so that concurrent requests wait for one. */
const underWay = new WeakMap<Platform, Map<string, Promise<void>>>()

/** Words of a finished file change only with the time it became ready, which is therefore part of the name. */
function renderedPart(file: FileRow, format: TranscriptFormat): BlobPart {
  return `rendered/${renderingVersion}-${file.ready_at ?? 0}.${format}`
}

async function makePart(platform: Platform, file: FileRow, format: TranscriptFormat): Promise<void> {
  const transcript = await transcriptOf(platform, file)
  const chunks = format === 'pdf' ? renderPdf(transcript, await pdfKit()) : renderFormat(transcript, format)
  await platform.blobs.write(file.id, renderedPart(file, format), Readable.from(chunks))
  const row = await platform.db.selectFrom('files').select('id').where('id', '=', file.id).executeTakeFirst()
  if (row !== undefined) return
  // Deleted while it was rendered: nothing of it stays.
  await platform.blobs.remove(file.id)
  throw new ServiceError(404, 'There is no file with this id.')
}

function makePartOnce(platform: Platform, file: FileRow, format: TranscriptFormat): Promise<void> {
  const making = underWay.get(platform) ?? new Map<string, Promise<void>>()
  underWay.set(platform, making)
  const key = `${file.id}/${renderedPart(file, format)}`
  const made = making.get(key) ?? makePart(platform, file, format).finally(() => making.delete(key))
  making.set(key, made)
  return made
}

async function workInProgress(platform: Platform, file: FileRow): Promise<RenderedTranscript> {
  const text = [...renderWorkInProgress(await transcriptOf(platform, file))].join('')
  const content = Buffer.from(text, 'utf8')
  return { format: 'txt', bytes: content.length, content: Readable.from([content]) }
}

/**
 * The transcript of a file in a format (spec 4.4). A finished one is rendered once and kept; below 100 the text of what
 * is there is made anew, since it grows.
 * @throws ServiceError 404 where the file is deleted meanwhile
 */
export async function renderTranscript(
  platform: Platform,
  file: FileRow,
  format: TranscriptFormat,
): Promise<RenderedTranscript> {
  if (file.progress_percent < 100) return workInProgress(platform, file)
  const part = renderedPart(file, format)
  let bytes = await platform.blobs.size(file.id, part)
  if (bytes === null) {
    await makePartOnce(platform, file, format)
    bytes = await platform.blobs.size(file.id, part)
  }
  if (bytes === null) throw new ServiceError(404, 'There is no file with this id.')
  return { format, bytes, content: platform.blobs.read(file.id, part) }
}

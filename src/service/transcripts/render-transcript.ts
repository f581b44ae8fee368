import { Readable } from 'node:stream'
import type { TranscriptFormat } from '../../contract/transcript-formats.ts'
import type { FileRow } from '../db/schema.ts'
import type { BlobPart } from '../media/blob-store.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import { aboutOf } from './about.ts'
import { renderInThread } from './render-thread.ts'
import { type Rendering, render, renderingVersion } from './rendering.ts'
import { WorkInProgressTexts } from './work-in-progress-texts.ts'

/**
 * A rendering, ready to be sent. `format` is its actual format: below 100 always the work-in-progress txt (spec 4.4).
 */
export type RenderedTranscript = { format: TranscriptFormat; bytes: number; content: Readable }

/**
 * Rendered in a thread: PDFs, which take 0.3 s for a quarter of an hour, and everything from half an hour of words on.
 */
const maxBytesHere = 300_000

/** Renderings under way, and texts cached in memory, of one platform. */
class Renderings {
  /** by file and part, so that concurrent requests wait for the same one */
  readonly underWay = new Map<string, Promise<void>>()
  readonly texts: WorkInProgressTexts

  constructor(platform: Platform) {
    this.texts = new WorkInProgressTexts(platform)
  }
}

const byPlatform = new WeakMap<Platform, Renderings>()

function renderingsOf(platform: Platform): Renderings {
  const renderings = byPlatform.get(platform) ?? new Renderings(platform)
  byPlatform.set(platform, renderings)
  return renderings
}

/** The words of a finished file change only together with `ready_at`, which is therefore part of the name. */
function renderedPart(file: FileRow, format: TranscriptFormat): BlobPart {
  return `rendered/${renderingVersion}-${file.ready_at ?? 0}.${format}`
}

async function makePart(platform: Platform, file: FileRow, format: TranscriptFormat): Promise<void> {
  const { blobs } = platform
  const rendering: Rendering = { about: aboutOf(file), words: { path: blobs.localPath(file.id, 'words.json') }, format }
  const isLarge = format === 'pdf' || ((await blobs.size(file.id, 'words.json')) ?? 0) > maxBytesHere
  const chunks = isLarge ? renderInThread(rendering) : render(rendering)
  const failure = await blobs.write(file.id, renderedPart(file, format), Readable.from(chunks)).then(
    () => null,
    (error: unknown) => (error instanceof Error && error.name === 'SyntaxError' ? wordsLost(error) : error),
  )
  const row = await platform.db.selectFrom('files').select('id').where('id', '=', file.id).executeTakeFirst()
  if (row === undefined) {
    // Deleted while it was being rendered: nothing of it may stay.
    await platform.blobs.remove(file.id)
    throw new ServiceError(404, 'There is no file with this id.')
  }
  if (failure !== null) throw failure
}

/** One damaged blob is one damaged file: it says what is missing, and everything else goes on. */
function wordsLost(cause: Error): ServiceError {
  const message = 'The words of this file are lost or damaged on the service. Its recording may still be there.'
  return new ServiceError(500, message, {}, { cause })
}

function makePartOnce(platform: Platform, file: FileRow, format: TranscriptFormat): Promise<void> {
  const { underWay } = renderingsOf(platform)
  const key = `${file.id}/${renderedPart(file, format)}`
  const made = underWay.get(key) ?? makePart(platform, file, format).finally(() => underWay.delete(key))
  underWay.set(key, made)
  return made
}

async function workInProgress(platform: Platform, file: FileRow): Promise<RenderedTranscript> {
  const content = await renderingsOf(platform).texts.textOf(file)
  return { format: 'txt', bytes: content.length, content: Readable.from([content]) }
}

/**
 * The transcript of a file in a format (spec 4.4). A finished one is rendered once and stored; below 100 the text so
 * far is rendered again whenever there is more.
 * @throws ServiceError 404 where the file is deleted meanwhile, 500 where its words are lost or damaged
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

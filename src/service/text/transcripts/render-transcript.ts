import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { isServedFormat, type ServedFormat, unfinishedFormat } from '../../../contract/interface/transcript-formats.ts'
import { formatTable } from '../../../formats/format-table.ts'
import type { HeardForm } from '../../../text/vocabulary.ts'
import { compressor, type Encoding } from '../../platform/content-encoding.ts'
import { fileById } from '../../platform/db/change-files.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { BlobPart } from '../../platform/media/blob-store.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobKind } from '../../platform/queue/worker.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { openChecked, withChecksum } from './checked-part.ts'
import { renderInThread } from './render-thread.ts'
import { type Rendering, render, renderingVersion, type TextIdentity, type TextPutRight } from './rendering.ts'
import { describeFile, finishedWords } from './rendering-input.ts'
import { WorkInProgressTexts } from './work-in-progress-texts.ts'

/** Identifies the bytes of a transcript response. */
export type Variant = {
  /** its actual format: below 100 always the work-in-progress txt (spec 4.4) */
  format: ServedFormat
  /** its stored compression; null: none */
  encoding: Encoding | null
  /** identifies these bytes; null below 100, where they are not cached */
  etag: string | null
  /** of its corrections; 0: none. With corrections or rules it is rendered each time, and not cached */
  revision: number
  /** of captions; null: Parley's, or it has no captions */
  rules: CaptionRules | null
}

/**
 * Chooses the variant of a transcript for a format and an accepted encoding, without touching the disk, so that HEAD
 * can answer, too.
 * @param revision of the corrections to apply; 0: none
 * @param chosen rules of captions; null: Parley's
 */
export function pickVariant(
  file: FileRow,
  format: ServedFormat,
  accepted: Encoding | null,
  revision = 0,
  chosen: CaptionRules | null = null,
): Variant {
  if (file.progress_percent < 100)
    return { format: unfinishedFormat, encoding: null, etag: null, revision: 0, rules: null }
  const rules = formatTable[format].kind === 'captions' ? chosen : null
  if (revision > 0 || rules !== null) {
    const of = [`c${revision}`, ...(rules === null ? [] : [shortDigest(JSON.stringify(rules))]), format].join('.')
    // Weak, as it is the same in every encoding.
    return { format, encoding: null, etag: `W/"${renderedName(file, of, null)}"`, revision, rules }
  }
  const encoding = formatTable[format].isPacked ? null : accepted
  return { format, encoding, etag: `"${renderedName(file, format, encoding)}"`, revision, rules }
}

/**
 * Rendered in a thread: PDFs, which take 0.3 s for a quarter of an hour, and everything from half an hour of words on.
 */
const maxBytesHere = 300_000

/** Renderings in progress, and texts cached in memory, of one platform. */
class Renderings {
  /** by file and part, so that concurrent requests share one rendering */
  readonly underWay = new Map<string, Promise<void>>()
  readonly texts: WorkInProgressTexts

  constructor(platform: Platform) {
    this.texts = new WorkInProgressTexts(platform)
  }
}

const byPlatform = new WeakMap<Platform, Renderings>()

function getRenderings(platform: Platform): Renderings {
  const renderings = byPlatform.get(platform) ?? new Renderings(platform)
  byPlatform.set(platform, renderings)
  return renderings
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** The words of a finished file change only together with `ready_at`, which is therefore part of the name. */
function renderedName(file: FileRow, format: string, encoding: Encoding | null): string {
  return `${renderingVersion}-${file.ready_at ?? 0}.${format}${encoding === null ? '' : `.${encoding}`}`
}

async function renderPlain(
  { blobs }: Platform,
  file: FileRow,
  format: Rendering['format'],
  taken: Pick<Rendering, 'corrections' | 'forms' | 'rules'> = {},
  place: 'thread' | 'by size' = 'by size',
): Promise<Readable> {
  const words = await finishedWords(blobs, file.id)
  const rendering: Rendering = { about: describeFile(file), words, format, ...taken }
  const isTypeset = isServedFormat(format) && formatTable[format].isTypeset
  const isLarge = place === 'thread' || isTypeset || ((await blobs.size(file.id, 'words.json')) ?? 0) > maxBytesHere
  return Readable.from(isLarge ? renderInThread(rendering) : render(rendering))
}

/**
 * Identifies a finished file's current text by reading all of its words.
 * @throws ServiceError 500 if they are lost or damaged
 */
export async function identifyText(platform: Platform, file: FileRow): Promise<TextIdentity> {
  try {
    return (await json(await renderPlain(platform, file, 'fingerprint'))) as TextIdentity
  } catch (error) {
    throw error instanceof Error && error.name === 'SyntaxError' ? wordsLost(error) : error
  }
}

/**
 * The vocabulary's replacements for a file's current words; it need not be finished.
 * @throws SyntaxError if they are lost or damaged
 */
export async function putTextRight(
  platform: Platform,
  file: FileRow,
  forms: readonly HeardForm[],
): Promise<TextPutRight> {
  return (await json(await renderPlain(platform, file, 'vocabulary', { forms }))) as TextPutRight
}

/**
 * A finished file's text with corrections, its captions by rules, also to be drawn (`ass`), or how well they follow
 * them (JSON of `captionReport`); rendered each time.
 * @param place `thread`: also what is small, where many are made one after the other
 * @throws SyntaxError, while it is read, if its words are lost or damaged
 */
export async function renderAs(
  platform: Platform,
  file: FileRow,
  format: ServedFormat | 'caption-report' | 'ass',
  { corrections, rules }: { corrections: Rendering['corrections'] | null; rules: CaptionRules | null },
  place: 'thread' | 'by size' = 'by size',
): Promise<Readable> {
  const taken = { ...(corrections && { corrections }), ...(rules && { rules }) }
  return await renderPlain(platform, file, format, taken, place)
}

/** Compresses the plain rendering; a failure of either ends both. */
async function renderCompressed(platform: Platform, file: FileRow, format: ServedFormat, encoding: Encoding) {
  const { content } = await openRendering(platform, file, format, null)
  return pipeline(content, compressor(encoding, 'kept'), () => undefined)
}

type Part = { name: BlobPart; render: () => Promise<Readable> }

async function makePart({ blobs, db }: Platform, file: FileRow, { name, render }: Part): Promise<void> {
  const failure = await blobs.write(file.id, name, Readable.from(withChecksum(await render()))).then(
    () => null,
    (error: unknown) => (error instanceof Error && error.name === 'SyntaxError' ? wordsLost(error) : error),
  )
  const row = await db.selectFrom('files').select('id').where('id', '=', file.id).executeTakeFirst()
  if (row === undefined) {
    // Deleted while being rendered: nothing may remain.
    await blobs.remove(file.id)
    throw new ServiceError(404, 'There is no file with this id.')
  }
  if (failure !== null) throw failure
}

/** One damaged blob is one damaged file: its error says what is missing, and everything else keeps working. */
function wordsLost(cause: Error): ServiceError {
  const message = 'The words of this file were lost or damaged on the service. Its recording may still be available.'
  return new ServiceError(500, message, {}, { cause })
}

function makePartOnce(platform: Platform, file: FileRow, part: Part): Promise<void> {
  const { underWay } = getRenderings(platform)
  const key = `${file.id}/${part.name}`
  const made = underWay.get(key) ?? makePart(platform, file, part).finally(() => underWay.delete(key))
  underWay.set(key, made)
  return made
}

type Content = { bytes: number; content: Readable }

/** A finished file's rendering: cached, or rendered now if that is absent or damaged. @throws ServiceError 404, 500 */
async function openRendering(
  platform: Platform,
  file: FileRow,
  format: ServedFormat,
  encoding: Encoding | null,
): Promise<Content> {
  const name: BlobPart = `rendered/${renderedName(file, format, encoding)}`
  const kept = await openChecked(platform.blobs, file.id, name)
  if (kept !== null) return kept
  const render = () =>
    encoding === null ? renderPlain(platform, file, format) : renderCompressed(platform, file, format, encoding)
  await makePartOnce(platform, file, { name, render })
  const made = await openChecked(platform.blobs, file.id, name)
  if (made === null) throw new ServiceError(404, 'There is no file with this id.')
  return made
}

/**
 * The bytes of a variant (spec 4.4). Those of a finished file are rendered once and stored, compressed from the plain
 * ones; below 100 the text so far is rendered again whenever there is more, and compressed with the response.
 * @throws ServiceError 404 if the file is deleted in the meantime, 500 if its words are lost or damaged
 */
export async function readTranscript(
  platform: Platform,
  file: FileRow,
  { format, encoding }: Variant,
): Promise<Content | Buffer> {
  if (file.progress_percent < 100) return getRenderings(platform).texts.textOf(file)
  return openRendering(platform, file, format, encoding)
}

/** Job `render`: prepares what the dashboard opens a transcript with (prefetch). */
export function renderJob(platform: Platform): JobKind {
  return {
    parallel: 1,
    async run(job) {
      const file = await fileById(platform.db, job.file_id)
      if (file === undefined) return { end: 'done' }
      const { content } = await openRendering(platform, file, 'json', 'zstd')
      // Nobody reads it: a deletion a moment ago is no failure.
      content.on('error', () => undefined).destroy()
      return { end: 'done' }
    },
    // It is rendered on demand.
    async gaveUp() {},
  }
}

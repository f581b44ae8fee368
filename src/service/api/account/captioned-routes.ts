import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { type CaptionHouseName, captionHouseIds } from '../../../contract/account/captions.ts'
import { type MediaExtension, mediaFormats } from '../../../contract/interface/media-formats.ts'
import { recordingBytes } from '../../orders/file/own-file.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { type CaptionKind, holderOf, writeCaptioned } from '../../platform/media/captioned.ts'
import { ToolError } from '../../platform/media/run-tool.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { correctionsNow } from '../../text/corrections/corrected-text.ts'
import { renderByHouse } from '../../text/transcripts/render-transcript.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { queryChoice } from '../http/read-request.ts'
import { fileOf, type OfFile } from './correction-routes.ts'

const { resolve } = createRequire(import.meta.url)
/** A bundled font: burned-in captions must not depend on the machine's fonts. */
const fonts = dirname(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))

/** Accounts rendering a video: one at a time per account, in this process. */
const busy = new Set<string>()

/** @throws ServiceError 409, 410 */
async function requireVideo(platform: Platform, file: FileRow): Promise<void> {
  if (file.progress_percent < 100) throw new ServiceError(409, 'The transcript is not ready yet.')
  if (file.media_kind !== 'video') {
    throw new ServiceError(409, 'This recording has no picture. Captions can be put into videos only.')
  }
  await recordingBytes(platform, file)
}

/** Writes a file's captions, with current corrections, to a SubRip file. */
async function writeCaptions(platform: Platform, file: FileRow, house: CaptionHouseName): Promise<string> {
  const corrections = await correctionsNow(platform, file)
  const path = platform.blobs.temporary()
  const content = await renderByHouse(platform, file, 'srt', house, corrections)
  await pipeline(content, createWriteStream(path, { mode: 0o600 }))
  return path
}

type Wanted = { kind: CaptionKind; house: CaptionHouseName }

/** @returns the path of the video, which the caller removes @throws ServiceError 409, 410, 422 */
async function makeVideo(platform: Platform, file: FileRow, { kind, house }: Wanted, signal: AbortSignal) {
  await requireVideo(platform, file)
  const captions = await writeCaptions(platform, file, house)
  const video = platform.blobs.temporary()
  try {
    const of = { extension: file.media_extension as MediaExtension, durationMs: file.duration_ms }
    await platform.blobs.withMedia(file.id, (media) =>
      writeCaptioned({ ...of, media, captions, kind, fonts, to: video }, signal),
    )
    return video
  } catch (error) {
    await rm(video, { force: true })
    if (!(error instanceof ToolError)) throw error
    const advice = kind === 'soft' ? ' Try captions that are drawn on the picture.' : ''
    const message = `Captions cannot be put into this video: it is damaged, or of a kind that cannot hold them.${advice}`
    throw new ServiceError(422, message, {}, { cause: error })
  } finally {
    await rm(captions, { force: true })
  }
}

/** `files/:id/captioned-video`: the recording with its captions as a track, or burned in. */
export async function captionedRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.post<OfFile>('files/:id/captioned-video', async (request, reply) => {
    const file = await fileOf(platform, request)
    const kind = queryChoice(request, 'captions', ['soft', 'burnt'] as const) ?? 'soft'
    const house = queryChoice(request, 'house', captionHouseIds) ?? 'parley'
    const { id: account } = request.caller.account
    if (busy.has(account))
      throw new ServiceError(429, 'Another video is being made for this account. Wait until it is done.')
    busy.add(account)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort(new Error('The client has disconnected.')))
    try {
      const video = await makeVideo(platform, file, { kind, house }, gone.signal)
      const { extension } = holderOf(file.media_extension as MediaExtension, kind)
      platform.readLog.note(account, file, 'video', platform.clock())
      const content = createReadStream(video, { highWaterMark: 262_144 })
      content.once('close', () => void rm(video, { force: true }))
      return await reply
        .header('content-type', mediaFormats[extension as MediaExtension].mimeTypes[0])
        .header('content-length', (await stat(video)).size)
        .header('content-disposition', attachmentNamed(`${nameWithoutEnding(file.name)} captioned.${extension}`))
        .send(content)
    } catch (error) {
      // The client is gone.
      throw gone.signal.aborted ? new ServiceError(400, 'The client has disconnected.', {}, { cause: error }) : error
    } finally {
      busy.delete(account)
    }
  })
}

function nameWithoutEnding(name: string): string {
  return name.replace(/\.\w{2,4}$/, '')
}

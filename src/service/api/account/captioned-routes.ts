import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CaptionStyleName, captionStyleIds } from '../../../contract/account/caption-styles.ts'
import {
  type CaptionReport,
  type CaptionRules,
  captionReport,
  captionRules,
} from '../../../contract/account/captions.ts'
import { type MediaExtension, mediaFormats } from '../../../contract/interface/media-formats.ts'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import { captionStyles, defaultCaptionRules } from '../../../formats/captions/caption-rules.ts'
import { recordingBytes } from '../../orders/file/own-file.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { type CaptionKind, pickContainer, writeCaptioned } from '../../platform/media/captioned.ts'
import { ToolError } from '../../platform/media/run-tool.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { parseCaptionRules, setCaptionRules } from '../../text/corrections/caption-rules.ts'
import { correctionsNow } from '../../text/corrections/corrected-text.ts'
import { renderAs } from '../../text/transcripts/render-transcript.ts'
import { fileRoute } from '../http/account-route.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { binary, lost, nothing } from '../http/operation.ts'
import { choiceQuery } from '../http/read-request.ts'

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

type Wanted = { kind: CaptionKind; rules: CaptionRules }

async function writeCaptions(platform: Platform, file: FileRow, { kind, rules }: Wanted): Promise<string> {
  const corrections = await correctionsNow(platform, file)
  const path = platform.blobs.temporary()
  const content = await renderAs(platform, file, kind === 'burnt' ? 'ass' : 'srt', { corrections, rules })
  await pipeline(content, createWriteStream(path, { mode: 0o600 }))
  return path
}

/** @returns the path of the video, which the caller removes @throws ServiceError 409, 410, 422 */
async function makeVideo(platform: Platform, file: FileRow, wanted: Wanted, signal: AbortSignal) {
  const { kind } = wanted
  await requireVideo(platform, file)
  const captions = await writeCaptions(platform, file, wanted)
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

function nameWithoutEnding(name: string): string {
  return name.replace(/\.\w{2,4}$/, '')
}

/** @throws ServiceError 409 if no captions were ordered, or they are not ready */
function requireCaptions({ options_json, progress_percent }: FileRow): void {
  if (readStoredOptions(options_json).subtitle_file !== 'on') {
    throw new ServiceError(409, 'This order has no subtitle file. Its captions are not checked.')
  }
  if (progress_percent < 100) {
    throw new ServiceError(409, 'The captions are checked once the transcript is ready.')
  }
}

const styleQuery = choiceQuery(
  captionStyleIds,
  `Whose caption rules instead of the transcript's: ${captionStyleIds.join(', ')}.`,
)

function chooseRules(file: FileRow, style: CaptionStyleName | null): CaptionRules {
  return style === null ? (parseCaptionRules(file) ?? defaultCaptionRules) : captionStyles[style]
}

const videoQuery = {
  captions: choiceQuery(
    ['soft', 'burnt'],
    '`soft`, a track that players can hide, by default; or `burnt`, drawn on the picture.',
  ),
  style: styleQuery,
}

/**
 * Of `files/:id`: `caption-rules`, those of all its captions; `caption-report`, which the option `subtitle_file` includes
 * besides the captions, and `captioned-video`, the recording with its captions as a track, or burned in.
 */
export const captionRoutes = [
  fileRoute(
    'put /files/{id}/caption-rules',
    'Set the rules of its captions',
    {
      description:
        'They apply to its captions in every format: in downloads of the dashboard, in the video and the report, and for programs that get the corrected or approved text.',
      body: captionRules,
      204: nothing,
      409: 'The transcript is not ready, or is approved.',
    },
    ({ platform, caller, file, body }) => setCaptionRules(platform, caller, file, body),
  ),
  fileRoute(
    'get /files/{id}/caption-report',
    'How the captions keep caption rules',
    {
      description: 'Of the text as it is corrected now. What an order with `subtitle_file` gets besides its captions.',
      query: { style: styleQuery },
      200: captionReport,
      409: 'The order has no subtitle file, or is not ready.',
    },
    async ({ platform, file, query: { style } }) => {
      requireCaptions(file)
      const corrections = await correctionsNow(platform, file)
      const given = { corrections, rules: chooseRules(file, style) }
      const content = await renderAs(platform, file, 'caption-report', given)
      const report = (await json(content)) as CaptionReport
      return { ...report, text: corrections === undefined ? ('original' as const) : ('corrected' as const) }
    },
  ),
  fileRoute(
    'post /files/{id}/captioned-video',
    'The recording as a video with captions',
    {
      description: 'Made before it is answered, whole: burnt captions take about as long as the recording.',
      query: videoQuery,
      200: { description: 'MP4, MOV, WebM or MKV; burnt: MP4.', content: { '*/*': binary } },
      409: 'The recording has no picture, or its transcript is not ready.',
      410: lost,
      422: 'The video is damaged, or of a kind that cannot hold captions.',
      429: 'Another video is being made for this account.',
    },
    async ({ platform, caller, file, query, reply }) => {
      const kind = query.captions ?? 'soft'
      const { id: account } = caller.account
      if (busy.has(account))
        throw new ServiceError(429, 'Another video is being made for this account. Wait until it is done.')
      busy.add(account)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort(new Error('The client has disconnected.')))
      try {
        const video = await makeVideo(platform, file, { kind, rules: chooseRules(file, query.style) }, gone.signal)
        const { extension } = pickContainer(file.media_extension as MediaExtension, kind)
        platform.readLog.note(account, file, 'video', platform.clock())
        const content = createReadStream(video, { highWaterMark: 262_144 })
        content.once('close', () => void rm(video, { force: true }).catch(() => undefined)) // a start removes it
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
    },
  ),
]

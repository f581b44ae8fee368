import { json } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CaptionStyleName, captionStyleIds } from '../../../contract/account/caption-styles.ts'
import {
  type CaptionReport,
  type CaptionRules,
  captionReport,
  captionRules,
  videoInProgress,
} from '../../../contract/account/captions.ts'
import { accountBasePath } from '../../../contract/interface/environment.ts'
import { type MediaExtension, mediaFormats } from '../../../contract/interface/media-formats.ts'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import { captionStyles, defaultCaptionRules, withTimingOf } from '../../../formats/captions/caption-rules.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { CaptionedVideo, FileRow } from '../../platform/db/schema.ts'
import { pickContainer } from '../../platform/media/captioned.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { parseCaptionRules, setCaptionRules } from '../../text/corrections/caption-rules.ts'
import { correctionsNow } from '../../text/corrections/corrected-text.ts'
import { renderAs } from '../../text/transcripts/render-transcript.ts'
import { findVideo, removeVideo, requestVideo, takeFailed } from '../../text/videos/captioned-videos.ts'
import { fileRoute } from '../http/account-route.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { answer, binary, header, lost, nothing } from '../http/operation.ts'
import { choiceQuery } from '../http/read-request.ts'
import { acceptRange } from '../playback/playback-routes.ts'

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
  const rules = parseCaptionRules(file) ?? defaultCaptionRules
  return withTimingOf(rules, style === null ? null : captionStyles[style])
}

const videoQuery = {
  captions: choiceQuery(
    ['soft', 'burnt'],
    '`soft`, a track that players can hide, by default; or `burnt`, drawn on the picture.',
  ),
  style: styleQuery,
}

const video = { '*/*': binary }
const videoAnswers = {
  200: { description: 'MP4, MOV, WebM or MKV; burnt: MP4. Supports `Range`.', content: video },
  202: answer(videoInProgress, 'It is being made: ask again, at its `Location`.'),
  206: { description: 'The requested range.', content: video },
  416: 'The video has no such range.',
  422: 'The video is damaged, too long, or of a kind that cannot hold captions.',
} as const

type Http = { request: FastifyRequest; reply: FastifyReply }

const looksEveryMs = 1_000

/** Resolves when a job has ended here, or after a second: it may be another node's. */
async function nextJobChange(changes: Changes): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, looksEveryMs)
  const unsubscribe = changes.subscribe(({ kind }) => kind === 'job' && resolve())
  await promise
  clearTimeout(timer)
  unsubscribe()
}

/** Waits until a video is made, for as long as proxies let a request wait. */
async function waitForVideo(
  { platform, file }: { platform: Platform; file: FileRow },
  video: CaptionedVideo,
  { raw, headers }: FastifyRequest,
): Promise<CaptionedVideo> {
  const { config, changes, leaving } = platform
  const [, wanted] = /\bwait=(\d{1,3})\b/.exec(headers.prefer?.toString() ?? '') ?? []
  const ms = Math.min(config.waitsForVideoMs, Number(wanted ?? 999) * 1_000)
  const until = performance.now() + ms
  const isWorthIt = () => performance.now() < until && !leaving.aborted && !raw.socket.destroyed
  let current = video
  while (current.state === 'making' && isWorthIt()) {
    await nextJobChange(changes)
    current = await findVideo(platform, file, video.id)
  }
  return current
}

/** @throws ServiceError as the video failed, 416 */
async function sendVideo(platform: Platform, file: FileRow, video: CaptionedVideo, { request, reply }: Http) {
  const { id, kind, state } = video
  await takeFailed(platform, video)
  if (state === 'making') {
    const location = `${accountBasePath(file.environment)}files/${file.id}/captioned-video/${id}`
    reply.code(202).header('location', location).header('retry-after', '2')
    return reply.send({ id, progress_percent: video.percent })
  }
  const { extension } = pickContainer(file.media_extension as MediaExtension, kind === 'soft' ? 'soft' : 'burnt')
  reply
    .header('content-type', mediaFormats[extension as MediaExtension].mimeTypes[0])
    .header('content-disposition', attachmentNamed(`${nameWithoutEnding(file.name)} captioned.${extension}`))
    .header('etag', `"${id}"`)
  const range = acceptRange(request, reply, { name: 'video', bytes: video.bytes, etag: `"${id}"` })
  platform.readLog.note(file.account_id, file, 'video', platform.clock())
  return reply.send(platform.blobs.read(file.id, `video/${id}`, range))
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
      description:
        'Made in the background; the request waits up to 20 seconds for it. The same request later gets the same video, for a day, if the text and the rules are the same. Burnt captions take about as long as the recording.',
      right: 'read',
      query: videoQuery,
      parameters: [header('Prefer', '`wait=10`: how many seconds to wait at most, instead of 20 (RFC 7240).')],
      ...videoAnswers,
      409: 'The recording has no picture, or its transcript is not ready.',
      410: lost,
      429: 'Ten videos are being made for this account.',
    },
    async ({ platform, caller, file, query, ...http }) => {
      const kind = query.captions ?? 'soft'
      const video = await requestVideo(platform, caller.account, file, { kind, rules: chooseRules(file, query.style) })
      return await sendVideo(platform, file, await waitForVideo({ platform, file }, video, http.request), http)
    },
  ),
  fileRoute(
    'get /files/{id}/captioned-video/{video}',
    'A video with captions that was begun before',
    { description: 'By the id of the 202. Answers at once.', ...videoAnswers },
    async ({ platform, file, params, ...http }) =>
      await sendVideo(platform, file, await findVideo(platform, file, params.video), http),
  ),
  fileRoute(
    'delete /files/{id}/captioned-video/{video}',
    'Cancel or remove a video with captions',
    { right: 'read', 204: nothing },
    async ({ platform, file, params }) => await removeVideo(platform, await findVideo(platform, file, params.video)),
  ),
]

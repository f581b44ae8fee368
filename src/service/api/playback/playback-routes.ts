import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Playback, playback } from '../../../contract/account/file-pages.ts'
import { accountBasePath } from '../../../contract/interface/environment.ts'
import { type MediaExtension, mediaFormats } from '../../../contract/interface/media-formats.ts'
import { coarserPeaks, decodePeaks, encodePeaks } from '../../../contract/interface/peaks.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { findAccountId } from '../../accounts/auth/keys.ts'
import { type HeardPart, recordingBytes } from '../../orders/file/own-file.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import { copyMimeType } from '../../platform/media/listening-copy.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { fileRoute, openRoute } from '../http/account-route.ts'
import { noteFile } from '../http/gone-file.ts'
import { binary, lost, text } from '../http/operation.ts'
import { flagQuery } from '../http/read-request.ts'
import { playbackSecret, playbackToken, readPlaybackToken } from './playback-token.ts'

/** Long enough to listen to a recording, short enough that a leaked URL soon becomes useless. */
export const playbackMs = 2 * 60 * 60 * 1_000

/** Two per bar of the widest window: a day's stored peaks would be a megabyte. */
const mostPeaks = 2_000

function getMimeType(file: FileRow): string {
  const { mimeTypes } = mediaFormats[file.media_extension as MediaExtension]
  // An extension may be audio or video: an mp4 without a picture is served as audio.
  const alike = (mimeTypes as readonly string[]).find((type) => type.startsWith(`${file.media_kind}/`))
  return alike ?? mimeTypes[0]
}

/** @throws ServiceError 404, the same for an expired URL, an expired key and a deleted file */
async function readGranted(
  { db, hotReads, clock }: Platform,
  token: string,
): Promise<{ file: FileRow; part: HeardPart }> {
  const grant = readPlaybackToken(await playbackSecret(db), token, clock())
  const accountId = grant === null ? undefined : await findAccountId(db, grant.keyId, clock())
  const file = accountId && grant ? await hotReads.fileOf(accountId, grant.fileId, clock()) : undefined
  if (file === undefined) throw new ServiceError(404, 'This URL has expired. Request a new one.')
  return { file, part: grant?.part ?? 'media' }
}

/** Why a file has no listening copy although it needs one. One that was made and is lost needs no words. */
function whyNoCopy({ listening_copy, given_up, progress_percent }: FileRow): Playback['copy'] {
  if (listening_copy === 'needed' && given_up === 0 && progress_percent < 100) return 'coming'
  return listening_copy === 'no-room' ? 'no-room' : undefined
}

/** Grants short-lived URLs of parts of a file that need no key. */
export async function grantPlaybackUrls({ db, clock }: Platform, { account, keyId }: Caller, file: FileRow) {
  const expiresAt = Math.min(clock() + playbackMs, file.expires_at ?? Number.MAX_SAFE_INTEGER)
  const secret = await playbackSecret(db)
  const urlOf = (part: HeardPart) => {
    const token = playbackToken(secret, { fileId: file.id, keyId, expiresAt, part })
    return `${accountBasePath(account.environment)}media/${token}`
  }
  return { expiresAt, urlOf }
}

/** URLs of a file's recording, and of the copy of it for listening if it has one. @throws ServiceError 410 */
async function grantPlayback(platform: Platform, caller: Caller, file: FileRow): Promise<Playback> {
  const { blobs } = platform
  const bytes = await recordingBytes(platform, file)
  const copyBytes = file.listening_copy === 'made' ? await blobs.size(file.id, 'listen') : null
  const { expiresAt, urlOf } = await grantPlaybackUrls(platform, caller, file)
  const original = urlOf('media')
  const played =
    copyBytes === null
      ? { url: original, mime_type: getMimeType(file), bytes, copy: whyNoCopy(file) }
      : { url: urlOf('listen'), mime_type: copyMimeType, bytes: copyBytes, copy: 'made' as const }
  const { media_kind, duration_ms } = file
  return {
    expires: iso(expiresAt),
    media_kind,
    seconds: duration_ms / 1_000,
    original,
    ...played,
  }
}

const recording = { 'audio/*': text, 'video/*': text }

/** `files/<id>/playback`: a URL; `media/<token>`: the recording at it, without a key. */
export const playbackRoutes = [
  fileRoute(
    'post /files/{id}/playback',
    'Get a short-lived URL that plays the recording',
    { whileClosed: true, 200: playback, 410: lost },
    ({ platform, caller, file }) => grantPlayback(platform, caller, file),
  ),
  openRoute(
    'get /media/{token}',
    'The recording itself, at the URL that playback returned',
    {
      description: 'Needs no key, for page elements that cannot send one. Supports `Range`.',
      200: { description: 'The recording.', content: recording },
      206: { description: 'The requested range.', content: recording },
      404: 'The URL or its key has expired, or the file was deleted.',
      410: lost,
      416: 'The recording has no such range.',
      http: { method: ['GET', 'HEAD'], exposeHeadRoute: false },
    },
    async ({ platform, params, request, reply }) => {
      const { file, part } = await readGranted(platform, params.token)
      noteFile(request, platform, file.id)
      const bytes = await recordingBytes(platform, file, part)
      const etag = part === 'media' ? `"${file.id}"` : `"${file.id}-${part.replace('/', '-')}"`
      const copyType = part === 'listen' ? copyMimeType : 'video/mp4'
      reply
        .header('content-type', part === 'media' ? getMimeType(file) : copyType)
        .header('etag', etag)
        .header('content-disposition', 'inline')
        .header('cache-control', 'private, no-store')
      const range = acceptRange(request, reply, { name: 'recording', bytes, etag })
      return request.method === 'HEAD' ? reply.send() : reply.send(platform.blobs.read(file.id, part, range))
    },
  ),
]

/** `files/<id>/peaks`: the waveform. */
export const peakRoutes = [
  fileRoute(
    'get /files/{id}/peaks',
    'The waveform',
    {
      query: { fine: flagQuery('As it is kept, else in at most 2,000 peaks.') },
      200: { description: 'Peaks.', content: { [binary.contentMediaType]: binary } },
    },
    async ({ platform: { blobs }, file, query, reply }) => {
      const isThere = (await blobs.size(file.id, 'peaks')) !== null
      const peaks = isThere ? decodePeaks(await buffer(blobs.read(file.id, 'peaks'))) : null
      if (peaks === null) throw new ServiceError(404, 'The waveform of this file is not available yet.')
      const sent = query.fine ? peaks : coarserPeaks(peaks, mostPeaks)
      return reply.type('application/octet-stream').send(Buffer.from(encodePeaks(sent)))
    },
  ),
]

type ByteRange = { start: number; end: number }

/**
 * Parses the single range of a `Range` header (RFC 9110, 14.2), both ends inclusive.
 * @returns null to send the whole (no range, several, or an unknown form), 'unsatisfiable' for 416
 */
function readByteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (parts === null || (parts[1] === '' && parts[2] === '')) return null
  if (parts[1] === '') {
    const last = Math.min(Number(parts[2]), bytes)
    return last === 0 ? 'unsatisfiable' : { start: bytes - last, end: bytes - 1 }
  }
  const start = Number(parts[1])
  const end = parts[2] === '' ? bytes - 1 : Math.min(Number(parts[2]), bytes - 1)
  if (parts[2] !== '' && Number(parts[2]) < start) return null
  return start >= bytes ? 'unsatisfiable' : { start, end }
}

/**
 * Reads which bytes of a resource are asked for, and writes the headers of the answer, 206 if they are not all.
 * @param name what has so many bytes, in the error
 * @throws ServiceError 416
 */
export function acceptRange(
  { method, headers: { range: asked, 'if-range': condition } }: FastifyRequest,
  reply: FastifyReply,
  { name, bytes, etag }: { name: string; bytes: number; etag?: string },
): ByteRange {
  // RFC 9110, 14.2: with HEAD, ranges are ignored.
  const isAsked = method === 'GET' && (condition === undefined || condition === etag)
  const range = isAsked ? readByteRange(asked, bytes) : null
  reply.header('accept-ranges', 'bytes')
  if (range === 'unsatisfiable') {
    const size = { 'accept-ranges': 'bytes', 'content-range': `bytes */${bytes}` }
    throw new ServiceError(416, `The ${name} has ${bytes} bytes.`, size)
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  reply.header('content-length', end - start + 1)
  return { start, end }
}

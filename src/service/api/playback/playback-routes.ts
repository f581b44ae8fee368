import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Playback } from '../../../contract/account/file-pages.ts'
import { accountBasePath } from '../../../contract/interface/environment.ts'
import { type MediaExtension, mediaFormats } from '../../../contract/interface/media-formats.ts'
import { coarserPeaks, decodePeaks, encodePeaks } from '../../../contract/interface/peaks.ts'
import { ownFile, recordingBytes } from '../../orders/file/own-file.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { playbackSecret, playbackToken, readPlaybackToken } from './playback-token.ts'

/** Long enough to listen to a recording, short enough that a leaked URL soon becomes useless. */
export const playbackMs = 2 * 60 * 60 * 1_000

/** Two per bar of the widest window: a day's stored peaks would be a megabyte. */
const mostPeaks = 2_000

type WithId = { Params: { id: string } }

function mimeTypeOf(file: FileRow): string {
  const { mimeTypes } = mediaFormats[file.media_extension as MediaExtension]
  // An extension may be audio or video: an mp4 without a picture is served as audio.
  const alike = (mimeTypes as readonly string[]).find((type) => type.startsWith(`${file.media_kind}/`))
  return alike ?? mimeTypes[0]
}

/** `files/<id>/playback` and `files/<id>/peaks`: these require the key. */
export async function playbackRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, blobs, clock } = platform
  app.post<WithId>('files/:id/playback', async ({ caller, params }): Promise<Playback> => {
    const file = await ownFile(platform, caller.account.id, params.id)
    await recordingBytes(platform, file)
    const expiresAt = Math.min(clock() + playbackMs, file.expires_at ?? Number.MAX_SAFE_INTEGER)
    const token = playbackToken(await playbackSecret(db), { fileId: file.id, keyId: caller.keyId, expiresAt })
    return {
      url: `${accountBasePath(caller.account.environment)}media/${token}`,
      expires: iso(expiresAt),
      mime_type: mimeTypeOf(file),
      media_kind: file.media_kind,
      bytes: file.bytes,
      seconds: file.duration_ms / 1_000,
    }
  })

  app.get<WithId & { Querystring: { fine?: string } }>('files/:id/peaks', async ({ caller, params, query }, reply) => {
    const file = await ownFile(platform, caller.account.id, params.id)
    const isThere = (await blobs.size(file.id, 'peaks')) !== null
    const peaks = isThere ? decodePeaks(await buffer(blobs.read(file.id, 'peaks'))) : null
    if (peaks === null) throw new ServiceError(404, 'The waveform of this file is not available yet.')
    const sent = query.fine === undefined ? coarserPeaks(peaks, mostPeaks) : peaks
    return reply.type('application/octet-stream').send(Buffer.from(encodePeaks(sent)))
  })
}

/** `media/<token>`: the recording without a key, for page elements that cannot send one. */
export async function mediaRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, blobs, clock } = platform

  /** @throws ServiceError 404, the same for an expired URL, an expired key and a deleted file */
  async function granted(token: string): Promise<FileRow> {
    const grant = readPlaybackToken(await playbackSecret(db), token, clock())
    const key =
      grant === null
        ? undefined
        : await db
            .selectFrom('api_keys')
            .select('account_id')
            .where('id', '=', grant.keyId)
            .where('revoked_at', 'is', null)
            .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
            .executeTakeFirst()
    const file = key && grant ? await platform.hotReads.fileOf(key.account_id, grant.fileId, clock()) : undefined
    if (file === undefined) throw new ServiceError(404, 'This URL has expired. Request a new one.')
    return file
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = await granted((request.params as { token: string }).token)
    const bytes = await recordingBytes(platform, file)
    const etag = `"${file.id}"`
    const { range: asked, 'if-range': condition } = request.headers
    const range = condition === undefined || condition === etag ? readByteRange(asked, bytes) : null
    reply
      .header('content-type', mimeTypeOf(file))
      .header('accept-ranges', 'bytes')
      .header('etag', etag)
      .header('content-disposition', 'inline')
      .header('cache-control', 'private, no-store')
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${bytes}`)
      throw new ServiceError(416, `The recording has ${bytes} bytes.`)
    }
    const { start, end } = range ?? { start: 0, end: bytes - 1 }
    if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
    reply.header('content-length', end - start + 1)
    return request.method === 'HEAD' ? reply.send() : reply.send(blobs.read(file.id, 'media', { start, end }))
  }

  app.get('media/:token', { exposeHeadRoute: false }, send)
  app.head('media/:token', send)
}

type ByteRange = { start: number; end: number }

/**
 * arses the single range of a `Range` header (RFC 9110, 14.2), both ends inclusive.
 * @returns null to send the whole (no range, several, or an unknown form), 'unsatisfiable' for 416
 */
export function readByteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
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

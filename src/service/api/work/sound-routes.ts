import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { coarserPeaks, decodePeaks, encodePeaks } from '../../../contract/interface/peaks.ts'
import type { PartPlayback } from '../../../contract/work/parts.ts'
import { workBasePath } from '../../../contract/work/staff.ts'
import { fileById } from '../../platform/db/change-files.ts'
import type { WorkPart } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { longestHoldMs, partGone, requireHeld } from '../../workbench/claims.ts'
import { isHeld, openPartSound, overlapMs, readSound } from '../../workbench/sound.ts'
import { readByteRange } from '../playback/playback-routes.ts'
import { playbackSecret, playbackToken, readPlaybackToken } from '../playback/playback-token.ts'
import { claimed, type OfPart } from './claimed-routes.ts'

const mostPeaks = 2_000

/** `parts/:id/playback` and `parts/:id/peaks`: for the part's holder. */
export async function playbackOfPartRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, blobs, clock } = platform
  app.post<OfPart>('parts/:id/playback', async (request): Promise<PartPlayback> => {
    const [partId, claim] = claimed(request)
    const part = await requireHeld(db, request.staff, partId, claim, clock())
    const { start, seconds } = await openPartSound(platform, part)
    const expiresAt = part.claimed_at + longestHoldMs
    const grant = { fileId: `${partId}.${claim}`, keyId: request.staff.id, expiresAt }
    return { url: `${workBasePath}media/${playbackToken(await playbackSecret(db), grant)}`, start, seconds }
  })

  app.get<OfPart>('parts/:id/peaks', async (request, reply) => {
    const part = await requireHeld(db, request.staff, ...claimed(request), clock())
    const isThere = (await blobs.size(part.file_id, 'peaks')) !== null
    const peaks = isThere ? decodePeaks(await buffer(blobs.read(part.file_id, 'peaks'))) : null
    const file = await fileById(db, part.file_id)
    if (file === undefined) throw partGone()
    if (peaks === null) throw new ServiceError(404, 'The waveform is not available yet.')
    const place = (ms: number) => 2 * Math.round((peaks.length * Math.max(0, ms)) / 2 / file.duration_ms)
    const around = part.position === 0 ? 0 : overlapMs
    const own = peaks.slice(place(part.start_ms - around), place(part.end_ms + around))
    return reply.type('application/octet-stream').send(Buffer.from(encodePeaks(coarserPeaks(own, mostPeaks))))
  })
}

/** `media/<token>`: a part's audio without a key, for page elements, until the hold ends. */
export async function soundRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, clock } = platform

  async function granted(token: string): Promise<{ part: WorkPart; claim: number }> {
    const grant = readPlaybackToken(await playbackSecret(db), token, clock())
    const [id = '', claim = ''] = grant?.fileId.split('.') ?? []
    const part = await db.selectFrom('work_parts').selectAll().where('id', '=', id).executeTakeFirst()
    const isNow = part !== undefined && part.claim === Number(claim) && part.held_until > clock()
    if (!isNow) throw new ServiceError(404, 'The hold of this part has ended.')
    return { part, claim: part.claim }
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { part, claim } = await granted((request.params as { token: string }).token)
    const sound = await openPartSound(platform, part)
    const range = readByteRange(request.headers.range, sound.bytes)
    reply
      .header('content-type', 'audio/wav')
      .header('accept-ranges', 'bytes')
      .header('cache-control', 'private, no-store')
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${sound.bytes}`)
      throw new ServiceError(416, `The sound has ${sound.bytes} bytes.`)
    }
    const { start, end } = range ?? { start: 0, end: sound.bytes - 1 }
    if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${sound.bytes}`)
    reply.header('content-length', end - start + 1)
    if (request.method === 'HEAD') return reply.send()
    const hold = { isHeld: () => isHeld(db, part.id, claim, clock()), cut: () => reply.raw.destroy() }
    return reply.send(Readable.from(readSound(platform, part.file_id, sound, { start, end }, hold)))
  }

  app.get('media/:token', { exposeHeadRoute: false }, send)
  app.head('media/:token', send)
}

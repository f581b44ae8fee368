import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { decodePeaks, encodePeaks } from '../../../contract/interface/peaks.ts'
import { partPlayback } from '../../../contract/work/parts.ts'
import { workBasePath } from '../../../contract/work/staff.ts'
import { fileById } from '../../platform/db/change-files.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { longestHoldMs, partGone, requireHeld } from '../../workbench/claims.ts'
import { findHeldPart, openPartSound, overlapMs, readSound } from '../../workbench/sound.ts'
import { noteFile } from '../http/gone-file.ts'
import { binary } from '../http/operation.ts'
import { routeFor } from '../http/route.ts'
import { acceptRange } from '../playback/playback-routes.ts'
import { playbackSecret, playbackToken, readPlaybackToken } from '../playback/playback-token.ts'
import { ended, heldRoute, ofClaim, type WorkGiven } from './work-route.ts'

const openRoute = routeFor(({ platform }: Pick<WorkGiven, 'platform'>) => ({ platform }), {
  authenticated: false,
})
const wav = { description: 'The sound, as a wav.', content: { 'audio/wav': binary } }

/** `parts/:id/playback` and `parts/:id/peaks` for the part's holder; `media/<token>`: its audio, without a key. */
export const soundRoutes = [
  heldRoute(
    'post /parts/{id}/playback',
    'An address that plays the part',
    { parameters: ofClaim, 200: partPlayback, ...ended },
    async ({ platform, staff, claimed }) => {
      const { db, clock } = platform
      const part = await requireHeld(db, staff, ...claimed, clock())
      const { start, seconds } = await openPartSound(platform, part)
      const expiresAt = part.claimed_at + longestHoldMs
      const grant = { fileId: claimed.join('.'), keyId: staff.id, expiresAt }
      return { url: `${workBasePath}media/${playbackToken(await playbackSecret(db), grant)}`, start, seconds }
    },
  ),
  heldRoute(
    'get /parts/{id}/peaks',
    'The waveform of the part',
    {
      parameters: ofClaim,
      200: { description: 'Peaks.', content: { 'application/octet-stream': binary } },
      ...ended,
      404: 'Not yet.',
    },
    async ({ platform: { db, blobs, clock }, staff, claimed, request, reply }) => {
      const part = await requireHeld(db, staff, ...claimed, clock())
      noteFile(request, { db }, part.file_id, partGone)
      const isThere = (await blobs.size(part.file_id, 'peaks')) !== null
      const peaks = isThere ? decodePeaks(await buffer(blobs.read(part.file_id, 'peaks'))) : null
      const file = await fileById(db, part.file_id)
      if (file === undefined) throw partGone()
      if (peaks === null) throw new ServiceError(404, 'The waveform is not available yet.')
      const place = (ms: number) => 2 * Math.round((peaks.length * Math.max(0, ms)) / 2 / file.duration_ms)
      const around = part.position === 0 ? 0 : overlapMs
      const own = peaks.slice(place(part.start_ms - around), place(part.end_ms + around))
      return reply.type('application/octet-stream').send(Buffer.from(encodePeaks(own)))
    },
  ),
  openRoute(
    'get /media/{token}',
    'The sound of a part, with Range, until the hold ends',
    {
      200: wav,
      206: wav,
      404: 'The hold has ended.',
      416: 'No such bytes.',
      http: { method: ['GET', 'HEAD'], exposeHeadRoute: false },
    },
    async ({ platform, params: { token }, request, reply }) => {
      const { db, clock } = platform
      const grant = readPlaybackToken(await playbackSecret(db), token, clock())
      const [partId = '', claim = ''] = grant?.fileId.split('.') ?? []
      const part = await findHeldPart(db, partId, Number(claim), clock())
      if (part === undefined) throw new ServiceError(404, 'The hold of this part has ended.')
      noteFile(request, platform, part.file_id, partGone)
      const sound = await openPartSound(platform, part)
      reply.header('content-type', 'audio/wav').header('cache-control', 'private, no-store')
      const range = acceptRange(request, reply, { name: 'sound', bytes: sound.bytes })
      if (request.method === 'HEAD') return reply.send()
      const isHeld = async () => (await findHeldPart(db, partId, part.claim, clock())) !== undefined
      const hold = { isHeld, cut: () => reply.raw.destroy() }
      return reply.send(Readable.from(readSound(platform, part.file_id, sound, range, hold)))
    },
  ),
]

import type { CaptionRules } from '../../../contract/account/captions.ts'
import { dayMs, hourMs } from '../../../contract/common/durations.ts'
import { requireStorageRoom } from '../../orders/create/storage-room.ts'
import { recordingBytes } from '../../orders/file/own-file.ts'
import { enqueueJob, type JobName } from '../../platform/db/outbox.ts'
import type { Account, CaptionedVideo, FileRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { CaptionKind } from '../../platform/media/captioned.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { revisionOfFile } from '../corrections/read-corrections.ts'

/*
 * Videos with captions, small pictures, and shots. Each is a row and a job, so that no connection has to last: asking
 * again for the same text and rules gets the same video, for a day.
 */

export type VideoKind = CaptionedVideo['kind']

export const videoJobs = {
  soft: 'caption-track',
  burnt: 'draw-captions',
  picture: 'small-picture',
  shots: 'shots',
} as const satisfies Record<VideoKind, JobName>

/** How many videos an account has at most, of which the oldest that are made give way. */
const mostVideos = 10

/** `rules`: of its captions; null without captions */
export type WantedVideo = { kind: CaptionKind; rules: CaptionRules } | { kind: 'picture' | 'shots'; rules: null }

/** What is said of one that is too long, before and after its limit. */
const tooLong: Record<VideoKind, readonly [string, string]> = {
  soft: ['', ''],
  burnt: ['Captions can be drawn on videos', ' Captions as a track can be added to longer ones.'],
  picture: ['A small picture is made of videos', ' The sound of longer ones can be heard without it.'],
  shots: ['Shot changes are found in videos', ''],
}

/** @throws ServiceError 409, 410, 422 */
async function requireVideo(platform: Platform, file: FileRow, kind: VideoKind): Promise<void> {
  if (file.progress_percent < 100) throw new ServiceError(409, 'The transcript is not ready yet.')
  if (file.media_kind !== 'video') {
    const advice = kind === 'picture' ? '' : ' Captions can be put into videos only.'
    throw new ServiceError(409, `This recording has no picture.${advice}`)
  }
  await recordingBytes(platform, file)
  const { drawHours, sandboxDrawMinutes } = platform.config
  const isLive = file.environment === 'live'
  if (kind === 'soft' || file.duration_ms <= (isLive ? drawHours * hourMs : sandboxDrawMinutes * 60_000)) return
  const limit = isLive ? `${drawHours} hours` : `${sandboxDrawMinutes} minutes in the sandbox`
  const [what, advice] = tooLong[kind]
  throw new ServiceError(422, `${what} of up to ${limit}.${advice}`)
}

/** Removes a video with its job and, after the commit, its bytes. */
export async function removeVideo(platform: Platform, { id, file_id, account_id }: CaptionedVideo): Promise<void> {
  const { db, blobs, changes, reserve } = platform
  await writeAccount(db, account_id, async (trx) => {
    await trx.deleteFrom('captioned_videos').where('id', '=', id).execute()
    const payload_json = payloadOf(id)
    await trx.deleteFrom('jobs').where('file_id', '=', file_id).where('payload_json', '=', payload_json).execute()
  })
  // Also interrupts the file's other jobs, which continue.
  changes.notify({ kind: 'work-ended', fileId: file_id })
  for (const part of ['video', 'slices'] as const) await reserve.use(() => blobs.remove(file_id, `${part}/${id}`))
}

const payloadOf = (id: string) => JSON.stringify({ video: id })

/** @throws ServiceError 429 if all that the account has are in the making */
async function makeRoom(platform: Platform, account: Account): Promise<void> {
  const all = platform.db.selectFrom('captioned_videos').selectAll().where('account_id', '=', account.id)
  const videos = await all.orderBy('id').execute()
  const surplus = videos.length - mostVideos + 1
  const done = videos.filter(({ state }) => state !== 'making').slice(0, Math.max(0, surplus))
  for (const video of done) await removeVideo(platform, video)
  if (done.length >= surplus) return
  const words = `${mostVideos} videos are being made for this account. Wait until one is done, or cancel one.`
  throw new ServiceError(429, words, { 'retry-after': '60' })
}

async function begin(
  trx: AccountTrx,
  file: FileRow,
  row: Pick<CaptionedVideo, 'kind' | 'variant' | 'rules_json'>,
  now: number,
) {
  const of = trx.selectFrom('captioned_videos').selectAll().where('file_id', '=', file.id)
  const known = await of.where('kind', '=', row.kind).where('variant', '=', row.variant).executeTakeFirst()
  if (known !== undefined) return known
  const { id: file_id, account_id } = file
  const video = { ...row, id: mintId('v'), file_id, account_id, state: 'making' as const, created_at: now }
  await enqueueJob(trx, file_id, videoJobs[row.kind], now, { payload_json: payloadOf(video.id) })
  return await trx.insertInto('captioned_videos').values(video).returningAll().executeTakeFirstOrThrow()
}

/**
 * The video of a file's current text with captions by rules, or without captions, begun if there is none.
 * @throws ServiceError 404, 409, 410, 411, 422, 429, 507
 */
export async function requestVideo(
  platform: Platform,
  account: Account,
  file: FileRow,
  { kind, rules }: WantedVideo,
): Promise<CaptionedVideo> {
  await requireVideo(platform, file, kind)
  const { db, clock, blobs } = platform
  const rules_json = JSON.stringify(rules)
  const variant = rules === null ? '' : [file.ready_at, await revisionOfFile(db, file.id), rules_json].join('.')
  const known = await db
    .selectFrom('captioned_videos')
    .selectAll()
    .where('file_id', '=', file.id)
    .where('kind', '=', kind)
    .where('variant', '=', variant)
    .executeTakeFirst()
  const isLost = known?.state === 'made' && (await blobs.size(file.id, `video/${known.id}`)) === null
  if (known !== undefined && !isLost) return known
  if (known !== undefined) await removeVideo(platform, known)
  await makeRoom(platform, account)
  await requireStorageRoom(platform, account, file.bytes)
  const row = { kind, variant, rules_json }
  const video = await writeAccount(db, account.id, (trx) => begin(trx, file, row, clock()))
  platform.changes.notify({ kind: 'job' })
  return video
}

/** @throws ServiceError as the video failed: once, and the next request tries again */
export async function takeFailed(platform: Platform, video: CaptionedVideo): Promise<void> {
  if (video.state !== 'failed') return
  await removeVideo(platform, video)
  throw new ServiceError(video.error_status ?? 500, video.error ?? '')
}

/** A video with captions. @throws ServiceError 404 */
export async function findVideo({ db }: Platform, file: FileRow, id: string): Promise<CaptionedVideo> {
  const captioned = db.selectFrom('captioned_videos').selectAll().where('kind', 'in', ['soft', 'burnt'])
  const ofFile = captioned.where('file_id', '=', file.id)
  const video = await ofFile.where('id', '=', id).executeTakeFirst()
  if (video === undefined) throw new ServiceError(404, 'There is no such video. It is kept for a day; make it again.')
  return video
}

/** Removes videos a day after they were made. */
export async function expireVideos(platform: Platform): Promise<void> {
  const all = platform.db.selectFrom('captioned_videos').selectAll()
  for (const video of await all
    .where('done_at', '<=', platform.clock() - dayMs)
    .limit(100)
    .execute()) {
    await removeVideo(platform, video)
  }
}

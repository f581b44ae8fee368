import { type RawBuilder, sql } from 'kysely'
import type { MediaExtension } from '../../../contract/interface/media-formats.ts'
import { hasSpareDisk } from '../../orders/create/storage-room.ts'
import { fileById } from '../../platform/db/change-files.ts'
import type { CaptionedVideo, Job } from '../../platform/db/schema.ts'
import { addTrack } from '../../platform/media/captioned.ts'
import { StorageAwayError } from '../../platform/media/file-errors.ts'
import { ToolError } from '../../platform/media/run-tool.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobEnd, JobKind } from '../../platform/queue/worker.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { removeVideo, type VideoKind, videoJobs } from './captioned-videos.ts'
import { finish, type Run, reportProgress, TemporaryFiles, writeCaptions } from './video-run.ts'
import { drawNext } from './video-slices.ts'

/** How long a sandbox waits for live accounts at most. */
const sandboxWaitsMs = 10 * 60_000
async function makeTrack(run: Run, files: TemporaryFiles): Promise<JobEnd> {
  const { platform, file, signal } = run
  const [captions, to] = [files.next(), files.next()]
  await writeCaptions(run, captions)
  const recording = { extension: file.media_extension as MediaExtension, durationMs: file.duration_ms }
  const onTime = reportProgress(run, (ms) => (ms / file.duration_ms) * 100)
  await platform.blobs.withMedia(file.id, (media) => addTrack({ media, captions, to }, recording, { signal, onTime }))
  return await finish(run, to)
}

/** What a request is answered if a video cannot be made; null: it is retried. */
async function explain({ platform, video }: Run, error: unknown): Promise<ServiceError | null> {
  if (error instanceof ServiceError) return error instanceof StorageAwayError ? null : error
  if (!(error instanceof ToolError)) return null
  // ffmpeg does not say that the disk is full.
  if (!(await hasSpareDisk(platform, 0))) return fullDisk()
  if (video.kind === 'picture') return new ServiceError(422, 'The picture of this video cannot be read.')
  const advice = video.kind === 'soft' ? ' Try captions that are drawn on the picture.' : ''
  const words = 'Captions cannot be put into this video: it is damaged, or of a kind that cannot hold them.'
  return new ServiceError(422, words + advice)
}

function fullDisk(): ServiceError {
  return new ServiceError(507, 'There is not enough storage space for this video. Try again later.')
}

async function fail(platform: Platform, video: CaptionedVideo, { status, message }: ServiceError): Promise<void> {
  // They are only a help, and are not looked for again.
  if (video.kind === 'shots') {
    await platform.blobs.write(video.file_id, 'shots', '[]')
    return await removeVideo(platform, video)
  }
  await platform.blobs.remove(video.file_id, `slices/${video.id}`)
  const failed = { state: 'failed' as const, error_status: status, error: message, done_at: platform.clock() }
  await platform.db.updateTable('captioned_videos').set(failed).where('id', '=', video.id).execute()
}

async function runOnce(platform: Platform, job: Job, signal: AbortSignal): Promise<JobEnd> {
  const video = await videoOf(platform, job)
  const file = await fileById(platform.db, job.file_id)
  if (video === undefined || file === undefined) return { end: 'done' }
  const run = { platform, video, file, signal }
  try {
    if (!(await hasSpareDisk(platform, file.bytes))) throw fullDisk()
    await using files = new TemporaryFiles(platform)
    return await (video.kind === 'soft' ? makeTrack(run, files) : drawNext(run, files))
  } catch (error) {
    if (signal.aborted) throw error
    const explained = await explain(run, error)
    if (explained === null) throw error
    await fail(platform, video, explained)
    platform.log.info({ fileId: file.id, err: error }, 'a video with captions could not be made')
    return { end: 'done' }
  } finally {
    // Canceled or deleted while its bytes were written.
    if ((await videoOf(platform, job)) === undefined) await removeVideo(platform, video)
  }
}

async function videoOf({ db }: Platform, { payload_json }: Job): Promise<CaptionedVideo | undefined> {
  const { video } = JSON.parse(payload_json) as { video: string }
  return await db.selectFrom('captioned_videos').selectAll().where('id', '=', video).executeTakeFirst()
}

/** Live accounts first; a sandbox that has waited long takes turns with them. */
function liveFirst(kind: string, now: number): RawBuilder<boolean> {
  const live = sql`select id from accounts where environment = 'live'`
  return sql<boolean>`(account_id in (${live}) or created_at < ${now - sandboxWaitsMs} or not exists (
    select 1 from jobs other where other.kind = ${kind} and other.state = 'waiting' and other.run_after <= ${now}
      and other.account_id in (${live})))`
}

/**
 * Jobs that read the pictures of videos: one kind copies the video and adds a track of captions, in seconds; the others
 * draw captions, make small pictures and find shots, a slice at a time.
 */
export function videoJob(platform: Platform, kind: VideoKind): JobKind {
  return {
    parallel: 1,
    only: () => liveFirst(videoJobs[kind], platform.clock()),
    run: (job, signal) => runOnce(platform, job, signal),
    async gaveUp(job) {
      const video = await videoOf(platform, job)
      const words = 'The video could not be made. Try again later.'
      if (video !== undefined) await fail(platform, video, new ServiceError(500, words))
    },
  }
}

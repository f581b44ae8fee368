import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type RawBuilder, sql } from 'kysely'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { MediaExtension } from '../../../contract/interface/media-formats.ts'
import { hasSpareDisk } from '../../orders/create/storage-room.ts'
import { fileById } from '../../platform/db/change-files.ts'
import type { CaptionedVideo, FileRow, Job } from '../../platform/db/schema.ts'
import type { BlobPart } from '../../platform/media/blob-store.ts'
import { addTrack, type CaptionKind, drawSlice, joinSlices } from '../../platform/media/captioned.ts'
import { StorageAwayError } from '../../platform/media/file-errors.ts'
import { ToolError } from '../../platform/media/run-tool.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobEnd, JobKind } from '../../platform/queue/worker.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { correctionsNow } from '../corrections/corrected-text.ts'
import { renderAs } from '../transcripts/render-transcript.ts'
import { removeVideo, videoJobs } from './captioned-videos.ts'

const { resolve } = createRequire(import.meta.url)
/** A bundled font: burned-in captions must not depend on the machine's fonts. */
const fonts = dirname(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))

/** How long a sandbox waits for live accounts at most. */
const sandboxWaitsMs = 10 * 60_000
/** The joining of slices is this part of the progress. */
const joiningPercent = 5
const writesProgressEveryMs = 1_000

type Run = { platform: Platform; video: CaptionedVideo; file: FileRow; signal: AbortSignal }

/** Temporary files of a run, removed at its end. */
class TemporaryFiles implements AsyncDisposable {
  readonly #paths: string[] = []
  readonly #blobs: Platform['blobs']
  constructor({ blobs }: Platform) {
    this.#blobs = blobs
  }

  next(): string {
    const path = this.#blobs.temporary()
    this.#paths.push(path, `${path}-list`)
    return path
  }

  /** The path of a part on this machine, copied there if it is in a bucket. */
  async local(fileId: string, part: BlobPart): Promise<string> {
    const local = this.#blobs.localPath(fileId, part)
    if (local !== null) return local
    const path = this.next()
    await pipeline(this.#blobs.read(fileId, part), createWriteStream(path, { mode: 0o600 }))
    return path
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#paths) await rm(path, { force: true })
  }
}

/** A file with the captions, the same for all slices, whatever is corrected in the meantime. */
async function writeCaptions({ platform, video, file }: Run, to: string): Promise<void> {
  const part: BlobPart = `slices/${video.id}/captions`
  if ((await platform.blobs.size(file.id, part)) === null) {
    const given = {
      corrections: await correctionsNow(platform, file),
      rules: JSON.parse(video.rules_json) as CaptionRules,
    }
    const format = video.kind === 'burnt' ? 'ass' : 'srt'
    await platform.blobs.write(file.id, part, await renderAs(platform, file, format, given))
  }
  await pipeline(platform.blobs.read(file.id, part), createWriteStream(to, { mode: 0o600 }))
}

/** Writes progress, a second apart. @param percentAt the progress at a time of the output in milliseconds */
function reportProgress({ platform, video }: Run, percentAt: (ms: number) => number): (ms: number) => void {
  let writtenAt = performance.now()
  return (ms) => {
    if (performance.now() - writtenAt < writesProgressEveryMs) return
    writtenAt = performance.now()
    const percent = Math.max(0, Math.min(99, Math.floor(percentAt(ms))))
    const row = platform.db.updateTable('captioned_videos').set({ percent }).where('id', '=', video.id)
    row.execute().catch((error: unknown) => platform.log.warn({ err: error }, 'progress of a video was not written'))
  }
}

/** Ends the job with the video in place. */
async function finish({ platform, video, file }: Run, path: string): Promise<JobEnd> {
  const { blobs, clock } = platform
  const { size: bytes } = await stat(path)
  await blobs.place(file.id, `video/${video.id}`, path)
  await blobs.remove(file.id, `slices/${video.id}`)
  return {
    end: 'done',
    async also(trx) {
      const made = { state: 'made' as const, percent: 100, bytes, done_at: clock() }
      await trx.updateTable('captioned_videos').set(made).where('id', '=', video.id).execute()
    },
  }
}

async function makeTrack(run: Run, files: TemporaryFiles): Promise<JobEnd> {
  const { platform, file, signal } = run
  const [captions, to] = [files.next(), files.next()]
  await writeCaptions(run, captions)
  const recording = { extension: file.media_extension as MediaExtension, durationMs: file.duration_ms }
  const onTime = reportProgress(run, (ms) => (ms / file.duration_ms) * 100)
  await platform.blobs.withMedia(file.id, (media) => addTrack({ media, captions, to }, recording, { signal, onTime }))
  return await finish(run, to)
}

/** Draws the next slice, or joins them: a film of hours is many runs, between which other accounts have their turns. */
async function drawNext(run: Run, files: TemporaryFiles): Promise<JobEnd> {
  const { platform, video, file } = run
  const { blobs, config } = platform
  const count = Math.max(1, Math.ceil(file.duration_ms / config.drawnSliceMs))
  const parts = Array.from({ length: count }, (_, index): BlobPart => `slices/${video.id}/${index}`)
  let drawn = 0
  for (const part of parts) {
    if ((await blobs.size(file.id, part)) === null) break
    drawn += 1
  }
  const next = parts[drawn]
  if (next === undefined) return await join(run, files, parts)
  await draw(run, files, { next, index: drawn, count })
  return count > 1 ? { end: 'again', afterMs: 0 } : await join(run, files, parts)
}

async function draw(
  run: Run,
  files: TemporaryFiles,
  of: { next: BlobPart; index: number; count: number },
): Promise<void> {
  const { platform, file, signal } = run
  const { next, index, count } = of
  const { drawnSliceMs } = platform.config
  const startMs = index * drawnSliceMs
  const slice = { startMs, endMs: index === count - 1 ? null : startMs + drawnSliceMs }
  const [captions, to] = [files.next(), files.next()]
  await writeCaptions(run, captions)
  const onTime = reportProgress(run, (ms) => ((startMs + ms) / file.duration_ms) * (100 - joiningPercent))
  const hasPictures = await platform.blobs.withMedia(file.id, (media) =>
    drawSlice({ media, captions, to }, fonts, slice, { signal, onTime }),
  )
  if (hasPictures) await platform.blobs.place(file.id, next, to)
  else await platform.blobs.write(file.id, next, '')
}

async function join(run: Run, files: TemporaryFiles, parts: readonly BlobPart[]): Promise<JobEnd> {
  const { platform, file, signal } = run
  const slices: (string | null)[] = []
  for (const part of parts) {
    const isEmpty = (await platform.blobs.size(file.id, part)) === 0
    slices.push(isEmpty ? null : await files.local(file.id, part))
  }
  const to = files.next()
  const onTime = reportProgress(run, (ms) => 100 - joiningPercent * (1 - ms / file.duration_ms))
  await platform.blobs.withMedia(file.id, (media) =>
    joinSlices({ media, to, durationMs: file.duration_ms }, slices, platform.config.drawnSliceMs, { signal, onTime }),
  )
  return await finish(run, to)
}

/** What a request is answered if a video cannot be made; null: it is retried. */
async function explain({ platform, video }: Run, error: unknown): Promise<ServiceError | null> {
  if (error instanceof ServiceError) return error instanceof StorageAwayError ? null : error
  if (!(error instanceof ToolError)) return null
  // ffmpeg does not say that the disk is full.
  if (!(await hasSpareDisk(platform, 0))) return fullDisk()
  const advice = video.kind === 'soft' ? ' Try captions that are drawn on the picture.' : ''
  const words = 'Captions cannot be put into this video: it is damaged, or of a kind that cannot hold them.'
  return new ServiceError(422, words + advice)
}

function fullDisk(): ServiceError {
  return new ServiceError(507, 'There is not enough storage space for this video. Try again later.')
}

async function fail(platform: Platform, video: CaptionedVideo, { status, message }: ServiceError): Promise<void> {
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
 * Jobs that make videos with captions: one kind copies the video and adds a track, in seconds, the other draws on each
 * picture, a slice at a time.
 */
export function videoJob(platform: Platform, kind: CaptionKind): JobKind {
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

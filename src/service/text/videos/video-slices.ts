import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { json } from 'node:stream/consumers'
import type { BlobPart } from '../../platform/media/blob-store.ts'
import { drawSlice, joinSlices } from '../../platform/media/captioned.ts'
import type { MediaSource } from '../../platform/media/media-source.ts'
import { findShots } from '../../platform/media/shots.ts'
import type { JobEnd } from '../../platform/queue/worker.ts'
import { finish, type Run, reportProgress, type TemporaryFiles, writeCaptions } from './video-run.ts'

const { resolve } = createRequire(import.meta.url)
/** A bundled font: burned-in captions must not depend on the machine's fonts. */
const fonts = dirname(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))

/** The joining of slices is this part of the progress. */
const joiningPercent = 5

/**
 * Makes the next slice of a video, or joins them: a film of hours is many runs, between which other accounts have their
 * turns.
 */
export async function drawNext(run: Run, files: TemporaryFiles): Promise<JobEnd> {
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

type Slice = { next: BlobPart; index: number; count: number }

async function draw(run: Run, files: TemporaryFiles, { next, index, count }: Slice): Promise<void> {
  const { platform, video, file, signal } = run
  const { blobs, config } = platform
  const startMs = index * config.drawnSliceMs
  const slice = { startMs, endMs: index === count - 1 ? null : startMs + config.drawnSliceMs }
  const onTime = reportProgress(run, (ms) => ((startMs + ms) / file.duration_ms) * (100 - joiningPercent))
  if (video.kind === 'shots') {
    const found = await blobs.withMedia(file.id, (media) => findShots(media, slice, signal))
    return await blobs.write(file.id, next, JSON.stringify(found))
  }
  const to = files.next()
  const captions = video.kind === 'picture' ? null : files.next()
  if (captions !== null) await writeCaptions(run, captions)
  const hasPictures = await blobs.withMedia(file.id, (media) =>
    drawSlice({ media, captions, to }, fonts, slice, { signal, onTime }),
  )
  if (hasPictures) await blobs.place(file.id, next, to)
  else await blobs.write(file.id, next, '')
}

async function join(run: Run, files: TemporaryFiles, parts: readonly BlobPart[]): Promise<JobEnd> {
  const { platform, video, file, signal } = run
  if (video.kind === 'shots') return await joinShots(run, parts)
  const slices: (string | null)[] = []
  for (const part of parts) {
    const isEmpty = (await platform.blobs.size(file.id, part)) === 0
    slices.push(isEmpty ? null : await files.local(file.id, part))
  }
  const to = files.next()
  const onTime = reportProgress(run, (ms) => 100 - joiningPercent * (1 - ms / file.duration_ms))
  const joinTo = (media: MediaSource | null) =>
    joinSlices({ media, to, durationMs: file.duration_ms }, slices, platform.config.drawnSliceMs, { signal, onTime })
  if (video.kind === 'picture') await joinTo(null)
  else await platform.blobs.withMedia(file.id, joinTo)
  return await finish(run, to)
}

async function joinShots({ platform: { blobs }, video, file }: Run, parts: readonly BlobPart[]): Promise<JobEnd> {
  const found: number[] = []
  for (const part of parts) found.push(...((await json(blobs.read(file.id, part))) as number[]))
  await blobs.write(file.id, 'shots', JSON.stringify(found))
  await blobs.remove(file.id, `slices/${video.id}`)
  return {
    end: 'done',
    async also(trx) {
      await trx.deleteFrom('captioned_videos').where('id', '=', video.id).execute()
    },
  }
}

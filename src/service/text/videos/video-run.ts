import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { CaptionedVideo, FileRow } from '../../platform/db/schema.ts'
import type { BlobPart } from '../../platform/media/blob-store.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobEnd } from '../../platform/queue/worker.ts'
import { correctionsNow } from '../corrections/corrected-text.ts'
import { renderAs } from '../transcripts/render-transcript.ts'

const writesProgressEveryMs = 1_000

/** A run of a job of a video. */
export type Run = { platform: Platform; video: CaptionedVideo; file: FileRow; signal: AbortSignal }

/** Temporary files of a run, removed at its end. */
export class TemporaryFiles implements AsyncDisposable {
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
export async function writeCaptions({ platform, video, file }: Run, to: string): Promise<void> {
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
export function reportProgress({ platform, video }: Run, percentAt: (ms: number) => number): (ms: number) => void {
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
export async function finish({ platform, video, file }: Run, path: string): Promise<JobEnd> {
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

import { removeDecodedSound } from '../media/decoded-sound.ts'
import { ensurePeaks } from '../media/peaks.ts'
import { giveUp } from '../orders/progress.ts'
import type { Platform } from '../platform.ts'
import type { JobKind } from '../queue/worker.ts'
import type { EngineChoice } from './choose-engine.ts'
import { recogniseFile } from './recognise-file.ts'

/** Pause before a waiting order checks for an engine again. */
const engineRetryMs = 15_000

/** Job `recognise`: turns the sound of a file into words. */
export function recogniseJob(platform: Platform, engines: EngineChoice): JobKind {
  return {
    parallel: engines.parallel,
    async run(job, signal) {
      const { db, blobs } = platform
      const file = await db.selectFrom('files').selectAll().where('id', '=', job.file_id).executeTakeFirst()
      if (file === undefined) return { end: 'done' }
      const end = file.progress_percent === 100 ? 'done' : await recogniseFile(platform, engines, file, signal)
      // The sound of a waiting order is decoded again later: many of them would fill the disk.
      await removeDecodedSound(blobs, file.id)
      return end === 'waits' ? { end: 'again', afterMs: engineRetryMs } : { end: 'done' }
    },
    async gaveUp(job) {
      if (job.file_id === null) return
      await removeDecodedSound(platform.blobs, job.file_id)
      await giveUp(platform, job.file_id, 'The recognizer failed on this recording several times.')
    },
  }
}

/** Job `peaks`: the waveform of a file, for the player. A file without one plays without it. */
export function peaksJob(platform: Platform): JobKind {
  return {
    parallel: 1,
    async run(job, signal) {
      const file = await platform.db.selectFrom('files').selectAll().where('id', '=', job.file_id).executeTakeFirst()
      if (file !== undefined) await ensurePeaks(platform.blobs, file, signal)
      return { end: 'done' }
    },
    async gaveUp() {},
  }
}

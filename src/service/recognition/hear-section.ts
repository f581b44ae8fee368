import { showRecognition } from '../orders/file/progress.ts'
import type { FileRow, Job } from '../platform/db/schema.ts'
import { wholeSamples } from '../platform/media/decode.ts'
import { isAbsent } from '../platform/media/file-errors.ts'
import type { Platform } from '../platform/platform.ts'
import type { JobEnd } from '../platform/queue/worker.ts'
import { readVoiceNames } from '../text/transcripts/separate-voices.ts'
import { vocabularyFor } from '../text/vocabulary/entries.ts'
import type { Engine } from './engine.ts'
import { cutPieces } from './pieces/cut-pieces.ts'
import type { Section } from './pieces/cut-sections.ts'
import { joinIfLast, parseSection, startOver } from './recognition-row.ts'
import { OtherSoundError, recognizePieces } from './recognize-pieces.ts'
import { VoiceListener } from './speakers/voice-listener.ts'

const bytesPerMs = 32

/** Yields 16 kHz mono samples of a section, from a time of the recording on. @throws OtherSoundError */
async function* readSound({ blobs }: Platform, fileId: string, section: Section, fromMs: number) {
  const part = `sound/${section.section}` as const
  const size = await blobs.size(fileId, part)
  if (size === null || Math.floor(size / bytesPerMs) !== section.endMs - section.startMs) throw new OtherSoundError()
  const start = (fromMs - section.startMs) * bytesPerMs
  if (start >= size) return
  try {
    yield* wholeSamples(blobs.read(fileId, part, { start, end: size - 1 }))
  } catch (error) {
    throw isAbsent(error) ? new OtherSoundError() : error
  }
}

/**
 * Recognizes one section, piece by piece; the last section to finish triggers joining the words.
 * @throws EngineError if the engine failed (the job is retried); AbortError when `signal` is aborted
 */
export async function hearSection(
  platform: Platform,
  engine: Engine,
  job: Job,
  file: FileRow,
  signal: AbortSignal,
): Promise<JobEnd> {
  const section = parseSection(job)
  const listener = new VoiceListener(engine)
  const voices = readVoiceNames(file)?.length ?? 1
  let lastAt = performance.now()
  const detect = async (samples: Int16Array) => (await engine.detectSpeech?.(samples, signal)) ?? null
  try {
    await recognizePieces(platform, {
      job,
      section,
      pieces: (from) =>
        cutPieces(readSound(platform, file.id, section, from.ms), { maxPieceMs: engine.maxPieceMs, detect, from }),
      engine,
      // A snapshot: entries added during recognition still apply to the corrections at the end.
      hints: (await vocabularyFor(platform.db, file)).words,
      listener,
      signal,
      onHeard: async (heardMs, nowMs) => {
        const now = performance.now()
        platform.nodes.heard(nowMs, now - lastAt)
        lastAt = now
        await showRecognition(platform, file.id, (heardMs / Math.max(1, file.duration_ms) / voices) * 100)
      },
    })
    return { end: 'done', also: (trx) => joinIfLast(trx, file, platform.clock()) }
  } catch (error) {
    if (!(error instanceof OtherSoundError)) throw error
    return { end: 'done', also: (trx) => startOver(trx, file, platform.clock()) }
  } finally {
    listener.close()
  }
}

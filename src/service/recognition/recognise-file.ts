import { Readable } from 'node:stream'
import { vocabularyWrite } from '../corrections/apply-vocabulary.ts'
import type { FileRow } from '../db/schema.ts'
import type { DecodeOutcome } from '../media/decode.ts'
import { DecodedSound } from '../media/decoded-sound.ts'
import { isFullDisk } from '../media/file-errors.ts'
import { StorageAwayError } from '../media/storage-away.ts'
import { changeFile } from '../orders/change-file.ts'
import { finishRecognition, giveUp, isLate, optionsOf, setDelay, showRecognition } from '../orders/progress.ts'
import type { Platform } from '../platform.ts'
import { donePieces } from '../transcripts/done-pieces.ts'
import { readStoredWords, type StoredWord, storedWordsJson } from '../transcripts/stored-words.ts'
import { vocabularyFor } from '../vocabulary/entries.ts'
import type { EngineChoice } from './choose-engine.ts'
import { EngineAwayError } from './engine.ts'
import { cutPieces } from './pieces/cut-pieces.ts'
import { recognisePieces } from './recognise-pieces.ts'
import { assignSpeakers } from './speakers/assign-speakers.ts'
import { channelVoices } from './speakers/channel-voices.ts'
import type { VoicedStretch } from './speakers/diarise.ts'
import { VoiceListener } from './speakers/voice-listener.ts'
import type { PackedPiece } from './speakers/voice-worker.ts'

/** So much may be missing at the end of a recording without a notice: lengths are not exact to the second. */
const toleratedLossMs = 2_000
/** A recording of which a smaller share of its charged length can be read counts as damaged. */
const leastReadableShare = 0.9

/** `waits`: there is no engine at present; the reason is in `delay_reason`. */
type RecognitionEnd = 'done' | 'waits'

/** @returns what is wrong with a recording of which only `decodedMs` could be read, or null */
function damage(file: FileRow, decoded: { decodedMs: number; ok: boolean }): string | null {
  if (decoded.decodedMs === 0) return 'The recording is damaged: no sound could be read from it.'
  if (decoded.decodedMs >= file.duration_ms * leastReadableShare) return null
  const seconds = Math.floor(decoded.decodedMs / 1_000)
  return `The recording is damaged: only its first ${seconds} s of ${Math.round(file.duration_ms / 1_000)} s could be read.`
}

/**
 * Turns a file's recording into stored words: waits where no engine is available, recognises it piece by piece, reports
 * the progress, resumes after the last finished piece, and stores `words.json` at the end.
 * @throws EngineError where the engine failed (the job is tried again); AbortError when `signal` is aborted
 */
export async function recogniseFile(
  platform: Platform,
  engines: EngineChoice,
  file: FileRow,
  signal: AbortSignal,
): Promise<RecognitionEnd> {
  const choice = await engines.choose()
  if (choice.engine === null) {
    await setDelay(platform, file.id, choice.reason)
    return 'waits'
  }
  if (file.delay_reason !== null && !isLate(file, platform.clock())) await setDelay(platform, file.id, null)
  const { engine } = choice
  const gone = new AbortController()
  const stop = AbortSignal.any([signal, gone.signal])
  const sound = await DecodedSound.open(platform.blobs, file.id, stop)
  // Started when decoding no longer competes with the engine, and long before the result is needed.
  const byChannel = sound.outcome.then(() => platform.blobs.withMedia(file.id, (source) => channelVoices(source, stop)))
  byChannel.catch(() => {})
  const listener = new VoiceListener(engine)
  const detect = async (samples: Int16Array) => (await engine.detectSpeech?.(samples, stop)) ?? null
  try {
    await recognisePieces(platform, {
      fileId: file.id,
      pieces: (from) => cutPieces(sound.read(from.ms), { maxPieceMs: engine.maxPieceMs, detect, from }),
      engine,
      // As they are now: what is added while the recording is heard comes in time for what is put right at the end.
      hints: (await vocabularyFor(platform.db, file)).words,
      listener,
      signal: stop,
      onDone: async (doneMs) => {
        const isThere = await showRecognition(platform, file.id, (doneMs / Math.max(1, file.duration_ms)) * 100)
        if (!isThere) gone.abort(new DOMException('The file was deleted.', 'AbortError'))
      },
    })
    return await finish(platform, file, await sound.outcome, { listener, byChannel }, signal)
  } catch (error) {
    if (gone.signal.aborted && !signal.aborted) return 'done'
    let reason = 'The service is out of storage space for the sound of this recording.'
    if (error instanceof EngineAwayError) reason = error.message
    else if (error instanceof StorageAwayError) reason = 'The storage of recordings cannot be reached.'
    else if (!isFullDisk(error)) throw error
    await setDelay(platform, file.id, `${reason} Retrying automatically.`)
    return 'waits'
  } finally {
    await Promise.all([listener.close(), sound.close()])
  }
}

/** Call when every piece is recognised: completes the order with its words, or refunds it. */
async function finish(
  platform: Platform,
  file: FileRow,
  decoded: DecodeOutcome,
  { listener, byChannel }: { listener: VoiceListener; byChannel: Promise<VoicedStretch[] | null> },
  signal: AbortSignal,
): Promise<RecognitionEnd> {
  if (decoded.missing) {
    await setDelay(platform, file.id, 'ffmpeg is not installed where the service runs: apt-get install ffmpeg.')
    return 'waits'
  }
  const reason = damage(file, decoded)
  if (reason !== null) {
    await giveUp(platform, file.id, reason)
    return 'done'
  }
  if (decoded.decodedMs < file.duration_ms - toleratedLossMs) {
    await changeFile(platform, file.id, () => ({ readable_ms: decoded.decodedMs }))
  }
  const words: StoredWord[] = []
  const heard: PackedPiece[] = []
  for await (const { words_json, start_ms, voices } of donePieces(platform.db, file.id, true)) {
    for (const word of readStoredWords(words_json)) words.push(word)
    if (voices) heard.push({ startMs: start_ms, voices })
  }
  const voices =
    (await byChannel) ?? (await listener.diarise(heard, optionsOf(file).speaker_names.length || 'auto', signal))
  return storeWords(platform, file, assignSpeakers(words, voices), signal)
}

/** Stores all words and completes the order, put right by the vocabulary, unless it is deleted. */
async function storeWords(
  platform: Platform,
  file: FileRow,
  words: readonly StoredWord[],
  signal: AbortSignal,
): Promise<RecognitionEnd> {
  const { db, blobs } = platform
  const isThere = await db.selectFrom('files').select('id').where('id', '=', file.id).executeTakeFirst()
  if (isThere === undefined) return 'done'
  signal.throwIfAborted()
  await blobs.write(file.id, 'words.json', Readable.from(storedWordsJson(words)))
  await finishRecognition(platform, file.id, await vocabularyWrite(platform, file))
  return 'done'
}

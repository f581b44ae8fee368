import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buildTranscript } from '../../text/build-transcript.ts'
import { writeFile } from '../orders/file/change-file.ts'
import { giveUp } from '../orders/file/progress.ts'
import { fileById } from '../platform/db/change-files.ts'
import type { Db } from '../platform/db/open.ts'
import { enqueueJob } from '../platform/db/outbox.ts'
import type { FileRow, Job } from '../platform/db/schema.ts'
import type { AccountTrx } from '../platform/db/write-account.ts'
import { mintId } from '../platform/ids.ts'
import { chooseSound } from '../platform/media/choose-sound.ts'
import { decode } from '../platform/media/decode.ts'
import type { Platform } from '../platform/platform.ts'
import type { JobEnd, JobKind } from '../platform/queue/worker.ts'
import { keepCopy, needsCopy } from '../recognition/keep-copy.ts'
import { cutPieces } from '../recognition/pieces/cut-pieces.ts'
import { fingerprintWords, type PartText, toDeskWords } from '../text/transcripts/part-text.ts'
import { describeFile } from '../text/transcripts/rendering-input.ts'
import { readWordsStream } from '../text/transcripts/stored-words.ts'
import { overlapMs } from './sound.ts'

const samplesPerMs = 16

/** The recognizer's text as it would be delivered; without words if there is no recognizer. */
async function heardText({ blobs }: Platform, file: FileRow): Promise<PartText> {
  const isHeard = (await blobs.size(file.id, 'words.json')) !== null
  const stored = isHeard ? await readWordsStream(blobs.read(file.id, 'words.json')) : []
  const transcript = buildTranscript(describeFile(file), stored)
  return { words: toDeskWords(transcript), names: transcript.speakers }
}

/** Stretches of speech, by voice activity alone. */
async function heardSpeech({ blobs }: Platform, file: FileRow, signal: AbortSignal): Promise<Spoken[]> {
  return await blobs.withMedia(file.id, async (source) => {
    const spoken: Spoken[] = []
    const sound = decode(source, await chooseSound(source, file.sound, signal), { signal })
    for await (const { startMs, endMs, pcm } of cutPieces(sound.pcm)) {
      if (pcm.length > 0) spoken.push({ startMs, endMs })
    }
    return spoken
  })
}

/** Yields the audio of each part with some context on both sides. Memory: two parts. */
async function* readSound(pcm: AsyncIterable<Int16Array>, parts: readonly Stretch[]): AsyncGenerator<Uint8Array[]> {
  const wanted = parts.map(({ startMs, endMs }) => ({
    from: Math.max(0, startMs - overlapMs) * samplesPerMs,
    to: (endMs + overlapMs) * samplesPerMs,
    chunks: [] as Uint8Array[],
  }))
  let at = 0
  for await (const chunk of pcm) {
    for (const { from, to, chunks } of wanted) {
      const [first, end] = [Math.max(from - at, 0), Math.min(to - at, chunk.length)]
      if (first < end) chunks.push(new Uint8Array(chunk.slice(first, end).buffer))
    }
    at += chunk.length
    while (wanted[0] !== undefined && wanted[0].to <= at) yield wanted.shift()?.chunks ?? []
  }
  for (const { chunks } of wanted) yield chunks
}

/**
 * Stores the audio of all parts and, if nothing was recognized, the listening copy that recognition makes otherwise.
 * @returns false if none could be read
 */
async function storeSound(platform: Platform, file: FileRow, parts: readonly Stretch[], signal: AbortSignal) {
  const { blobs } = platform
  const path = blobs.temporary()
  try {
    return await blobs.withMedia(file.id, async (source) => {
      const sound = await chooseSound(source, file.sound, signal)
      const isCopied = needsCopy(file, sound)
      const { pcm, outcome } = decode(source, sound, { signal, copyTo: isCopied ? path : undefined })
      let position = 0
      for await (const chunks of readSound(pcm, parts)) {
        position += 1
        await blobs.write(file.id, `sound/${position}`, Readable.from(chunks, { objectMode: false }))
      }
      const { decodedMs } = await outcome
      if (isCopied && decodedMs > 0) await keepCopy(platform, file, { path, decodedMs }, signal)
      return decodedMs > 0
    })
  } finally {
    await rm(path, { force: true })
  }
}

async function insertPart(
  trx: AccountTrx,
  file: FileRow,
  position: number,
  { startMs, endMs }: Stretch,
  text: PartText,
  now: number,
) {
  const id = mintId('p')
  const { words } = text
  const mean_conf = words.length === 0 ? null : words.reduce((sum, { conf }) => sum + conf, 0) / words.length
  const of = { file_id: file.id, account_id: file.account_id, position, start_ms: startMs, end_ms: endMs }
  await trx
    .insertInto('work_parts')
    .values({ id, ...of, step: 'type', waiting_since: now, mean_conf })
    .execute()
  const names_json = JSON.stringify(text.names)
  const ofWords = { words_json: JSON.stringify(words), fingerprint: fingerprintWords(words), words: words.length }
  await trx
    .insertInto('work_texts')
    .values({ part_id: id, names_json, ...ofWords })
    .execute()
}

/** Boundaries of existing parts; a restored backup lacks their audio. */
async function readStretches(db: Db, fileId: string): Promise<Stretch[]> {
  const parts = db.selectFrom('work_parts').select(['start_ms as startMs', 'end_ms as endMs'])
  return await parts.where('file_id', '=', fileId).where('position', '>', 0).orderBy('position').execute()
}

async function makeParts(platform: Platform, { file_id }: Job, signal: AbortSignal): Promise<JobEnd> {
  const { db, clock } = platform
  const file = await fileById(db, file_id)
  if (file === undefined || file.given_up === 1) return { end: 'done' }
  const known = await readStretches(db, file.id)
  // A re-review needs the audio again.
  if (file.progress_percent === 100 && known.length === 0) return { end: 'done' }
  const text = await heardText(platform, file)
  const toMs = (seconds: number) => Math.round(seconds * 1_000)
  const spoken =
    text.words.length > 0 || known.length > 0
      ? text.words.map(({ start, end }) => ({ startMs: toMs(start), endMs: toMs(end) }))
      : await heardSpeech(platform, file, signal)
  const parts = known.length > 0 ? known : cutParts(spoken, file.readable_ms ?? file.duration_ms)
  const isPlayed = file.environment === 'sandbox'
  // Simulated staff need no audio.
  if (!isPlayed && !(await storeSound(platform, file, parts, signal))) {
    await giveUp(platform, file.id, 'The recording is damaged: no sound could be read from it.')
    return { end: 'done' }
  }
  await writeFile(db, file.id, async (trx) => {
    if ((await readStretches(trx, file.id)).length > 0) return
    for (const [index, part] of parts.entries()) {
      const words = text.words.filter(({ start }) => isWithin(toMs(start), part, index === parts.length - 1))
      await insertPart(trx, file, index + 1, part, { words, names: text.names }, clock())
    }
  })
  return isPlayed ? { end: 'done', also: (trx) => enqueueJob(trx, file.id, 'type', clock()) } : { end: 'done' }
}

function isWithin(ms: number, { startMs, endMs }: Stretch, isLast: boolean): boolean {
  return ms >= startMs && (ms < endMs || isLast)
}

/** Job `parts`: cuts a manual order into parts for typists. */
export function partsJob(platform: Platform): JobKind {
  return {
    parallel: 1,
    run: (job, signal) => makeParts(platform, job, signal),
    async gaveUp({ file_id }) {
      if (file_id !== null) await giveUp(platform, file_id, 'The recording could not be prepared for those who type.')
    },
  }
}

/** A word or a stretch of speech, in milliseconds of the recording. */
type Spoken = { startMs: number; endMs: number }
type Stretch = { startMs: number; endMs: number }

const usualMs = 360_000

/**
 * Cuts a recording into parts of about six minutes, each at the longest silence near enough. Without pauses it cuts
 * between two words, without speech at the usual length.
 * @param spoken in order
 */
export function cutParts(spoken: readonly Spoken[], durationMs: number, partMs = usualMs): Stretch[] {
  const parts: Stretch[] = []
  let startMs = 0
  let next = 0
  while (durationMs - startMs > partMs * 1.25) {
    const [earliest, latest] = [startMs + partMs * 0.75, startMs + partMs * 1.25]
    let [best, longest] = [startMs + partMs, -1]
    for (let index = next; index < spoken.length; index += 1) {
      const endMs = spoken[index]?.endMs ?? 0
      const followsMs = spoken[index + 1]?.startMs ?? durationMs
      if (endMs > latest) break
      if (followsMs < earliest) {
        next = index
        continue
      }
      // Of a silence that extends beyond the window, only the portion within counts.
      const [from, to] = [Math.max(endMs, earliest), Math.min(followsMs, latest)]
      if (to - from > longest) [best, longest] = [Math.round((from + to) / 2), to - from]
    }
    parts.push({ startMs, endMs: best })
    startMs = best
  }
  return [...parts, { startMs, endMs: durationMs }]
}

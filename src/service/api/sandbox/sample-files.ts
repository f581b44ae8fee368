import { Readable } from 'node:stream'
import type { SampleFile } from '../../../contract/account/sandbox.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { applyOptions } from '../../../contract/interface/order-options.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { createOrder } from '../../orders/create/create.ts'
import { holdStorageRoom } from '../../orders/create/storage-room.ts'
import { changeFile } from '../../orders/file/change-file.ts'
import { finishFile, setProgress } from '../../orders/file/progress.ts'
import { nextFileVersion } from '../../platform/db/outbox.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { StagedBlob } from '../../platform/media/blob-store.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readVoiceNames, separateVoices } from '../../text/transcripts/separate-voices.ts'
import { readStoredWords, storedWordsJson } from '../../text/transcripts/stored-words.ts'
import { readTalk, sampleWords, talkWords } from './sample-talk.ts'

/** Replaces the content hash of sample files, so that they never count as duplicates. */
const sampleHashPrefix = 'sample:'

const lateByMs = 60 * 60 * 1_000

/** Ends all jobs of a file, whose progress is only set manually from then on. */
async function endWork({ db, blobs, changes }: Platform, fileId: string): Promise<void> {
  await db.deleteFrom('jobs').where('file_id', '=', fileId).where('kind', '!=', 'peaks').execute()
  await db.deleteFrom('recognitions').where('file_id', '=', fileId).execute()
  changes.notify({ kind: 'work-ended', fileId })
  await blobs.remove(fileId, 'sound')
}

/** Of the words that are stored at a time: a day of them at once holds up all other requests. */
const pieceWords = 1_000

/** How far a file's own words reach without a gap, in milliseconds. */
async function findReach({ db }: Platform, file: FileRow): Promise<number> {
  const spans = await db
    .selectFrom('pieces')
    .select(['start_ms', 'end_ms'])
    .where('file_id', '=', file.id)
    .orderBy('start_ms')
    .execute()
  return spans.reduce((until, { start_ms, end_ms }) => (start_ms > until ? until : Math.max(until, end_ms)), 0)
}

/** Stores sample words from where a file's own end up to a progress. */
async function writeWordsUpTo(platform: Platform, file: FileRow, progressPercent: number): Promise<void> {
  const startMs = await findReach(platform, file)
  const endMs = Math.round((file.duration_ms * progressPercent) / 100)
  let [words, from]: [StoredWord[], number] = [[], startMs]
  const store = async (to: number) => {
    if (to <= from) return
    const piece = { file_id: file.id, position: from, start_ms: from, end_ms: to, words_json: JSON.stringify(words) }
    await platform.db
      .insertInto('pieces')
      .values(piece)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    words = []
    from = to
  }
  for (const word of sampleWords(startMs, endMs)) {
    words.push(word)
    if (words.length === pieceWords) await store(Math.round(word.end * 1_000))
  }
  await store(endMs)
}

/** The words of a manually completed file: its own as far as recognized, then sample words. */
async function allWords(platform: Platform, file: FileRow): Promise<Iterable<StoredWord>> {
  const untilMs = await findReach(platform, file)
  const pieces = await platform.db
    .selectFrom('pieces')
    .select('words_json')
    .where('file_id', '=', file.id)
    .where('start_ms', '<', untilMs)
    .orderBy('start_ms')
    .execute()
  const words = pieces.flatMap(({ words_json }) => readStoredWords(words_json))
  const voices = readVoiceNames(file)
  const own = voices === null || words.length === 0 ? words : separateVoices(file, voices, words)
  return thenSamples(own, untilMs, file.duration_ms)
}

function* thenSamples(own: Iterable<StoredWord>, fromMs: number, untilMs: number): Generator<StoredWord> {
  yield* own
  yield* sampleWords(fromMs, untilMs)
}

/**
 * Sets a file's progress manually. Its jobs end, so that nothing else changes it.
 * @throws ServiceError 409 if it would decrease, which progress never does
 */
export async function moveProgress(platform: Platform, file: FileRow, progressPercent: number): Promise<void> {
  if (progressPercent < file.progress_percent) {
    throw new ServiceError(409, `Progress cannot go down: this file is at ${file.progress_percent}%.`)
  }
  await endWork(platform, file.id)
  if (progressPercent < 100) {
    await writeWordsUpTo(platform, file, progressPercent)
    await setProgress(platform, file.id, progressPercent)
    return
  }
  if ((await platform.blobs.size(file.id, 'words.json')) === null) {
    const json = Readable.from(storedWordsJson(await allWords(platform, file)))
    await platform.blobs.write(file.id, 'words.json', json)
  }
  await finishFile(platform, file.id)
}

/**
 * Marks a file as delayed for a reason, due within a day, or as on time again.
 * @throws ServiceError 409 on a finished one
 */
export async function moveDelay(platform: Platform, fileId: string, reason: string | null): Promise<void> {
  const now = platform.clock()
  const file = await changeFile(platform, fileId, ({ progress_percent }) =>
    progress_percent === 100
      ? null
      : { delay_reason: reason, delivery_at: now + dayMs, promised_at: reason === null ? null : now - lateByMs },
  )
  if (file?.progress_percent === 100)
    throw new ServiceError(409, 'The transcript is ready; it can no longer be delayed.')
}

type Wanted = { account: Account; name: string; type: OrderOptions['transcript_type'] | undefined }
type Sound = { bytes: number; chunks: Iterable<Uint8Array> }

/** @throws ServiceError as `holdStorageRoom` */
async function stageSound(platform: Platform, account: Account, { bytes, chunks }: Sound): Promise<StagedBlob> {
  using _room = await holdStorageRoom(platform, account, bytes)
  const staged = await platform.blobs.stage()
  try {
    for (const chunk of chunks) await staged.append(chunk)
    return staged
  } catch (error) {
    await staged.discard()
    throw error
  }
}

/** Orders one of the sandbox's own recordings, charged like any other; no job works on it. */
async function orderSample(platform: Platform, { account, name, type }: Wanted, sound: Sound) {
  const defaults = JSON.parse(account.default_options_json) as Partial<OrderOptions>
  const staged = await stageSound(platform, account, sound)
  const { id } = await createOrder(platform, {
    account,
    options: applyOptions(type ? { transcript_type: type } : {}, defaults),
    repeatable: null,
    staged,
    fileName: `${name}.mp3`,
    declaredType: 'audio/mpeg',
  })
  await endWork(platform, id)
  await writeAccount(platform.db, account.id, async (trx) => {
    await trx
      .updateTable('files')
      .set({ content_hash: sampleHashPrefix + id, version: await nextFileVersion(trx) })
      .where('id', '=', id)
      .execute()
  })
  return id
}

/** Orders a sample: a silent recording of the given length with sample words up to its progress. */
export async function createSample(platform: Platform, account: Account, sample: SampleFile): Promise<{ id: string }> {
  const order = { account, name: sample.name ?? 'Sample', type: sample.transcript_type }
  const id = await orderSample(platform, order, silentMp3(sample.seconds * 1_000))
  const file = await platform.hotReads.fileOf(account.id, id, platform.clock())
  if (file !== undefined) await moveProgress(platform, file, sample.progress_percent)
  return { id }
}

/** Orders half a minute of real speech, whose transcript is ready at once. */
export async function createTalk(platform: Platform, account: Account): Promise<{ id: string }> {
  const order = { account, name: 'Sample: two voices', type: 'automated' as const }
  const talk = await readTalk()
  const id = await orderSample(platform, order, { bytes: talk.length, chunks: [talk] })
  await platform.blobs.write(id, 'words.json', Readable.from(storedWordsJson(talkWords)))
  await finishFile(platform, id)
  return { id }
}

/**
 * One frame of silence: MPEG-2.5 Layer III, 8 kbit/s, 8 kHz, mono, no CRC (ISO/IEC 11172-3, 2.4.2.3, and its 8 kHz
 * extension). 576 samples, so 72 ms in 72 bytes; side information and data are zero, which decodes to silence.
 */
const frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc4]), Buffer.alloc(68)])
const frameMs = 72
const framesAtOnce = 10_000

/** A silent mp3, its length rounded up to whole frames, in chunks; a day of it is 86 MB. */
function silentMp3(lengthMs: number): Sound {
  const frames = Math.max(Math.round(lengthMs / frameMs), 1)
  return { bytes: frames * frame.length, chunks: repeatFrame(frames) }
}

function* repeatFrame(frames: number): Generator<Uint8Array> {
  const block = Buffer.concat(Array.from({ length: framesAtOnce }, () => frame))
  for (let left = frames; left > 0; left -= framesAtOnce) {
    yield block.subarray(0, Math.min(left, framesAtOnce) * frame.length)
  }
}

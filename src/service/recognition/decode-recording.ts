import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { HeardSound } from '../../contract/account/file-pages.ts'
import { maxNameLength, oneLine } from '../../contract/account/labels.ts'
import { leastReadableShare, toleratedLossMs } from '../../contract/interface/truncated.ts'
import { changeFile } from '../orders/file/change-file.ts'
import { setDelay } from '../orders/file/progress.ts'
import type { FileRow, Job } from '../platform/db/schema.ts'
import { writeAccount } from '../platform/db/write-account.ts'
import { chooseSound } from '../platform/media/choose-sound.ts'
import { type ChosenSound, type DecodeOutcome, decode } from '../platform/media/decode.ts'
import type { Platform } from '../platform/platform.ts'
import { isClaimed } from '../platform/queue/claim-job.ts'
import type { JobEnd } from '../platform/queue/worker.ts'
import { voiceLengthMs } from '../text/transcripts/separate-voices.ts'
import { decodeVoices } from './decode-voices.ts'
import { keepCopy, needsCopy } from './keep-copy.ts'
import { cutSections, type Section } from './pieces/cut-sections.ts'
import { enqueueSection, giveUpRecognition, joinIfLast, selectRecognition } from './recognition-row.ts'
import { channelVoices } from './speakers/channel-voices.ts'

const triesAgainAfterMs = 15_000

/** @returns the damage of a recording of which only `decodedMs` could be read, or null */
function damage(file: FileRow, decoded: DecodeOutcome): string | null {
  if (decoded.decodedMs === 0) return 'The recording is damaged: no sound could be read from it.'
  if (decoded.decodedMs >= file.duration_ms * leastReadableShare) return null
  const seconds = Math.floor(decoded.decodedMs / 1_000)
  return `The recording is damaged: only its first ${seconds} s of ${Math.round(file.duration_ms / 1_000)} s could be read.`
}

type Decoding = { platform: Platform; job: Job; file: FileRow; sound: ChosenSound; signal: AbortSignal }
type StoredSection = Section & { pcm: Int16Array[] }

/**
 * Stores a section's audio and enqueues it for recognition by any process.
 * @throws AbortError if the job is no longer ours
 */
async function store({ platform, job, file }: Decoding, { pcm, ...section }: StoredSection): Promise<void> {
  const { db, blobs, clock, changes } = platform
  const bytes = pcm.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
  await blobs.write(file.id, `sound/${section.section}`, Readable.from(bytes, { objectMode: false }))
  await writeAccount(db, file.account_id, async (trx) => {
    if (!(await isClaimed(trx, job))) throw new DOMException('Another process decodes this recording.', 'AbortError')
    await enqueueSection(trx, file, section, clock())
  })
  changes.notify({ kind: 'job' })
}

/** Decodes all of a recording. The last section is enqueued only once the recording's end is confirmed. */
async function decodeSections(decoding: Decoding, copyTo: string | undefined): Promise<DecodeOutcome> {
  const { platform, job, file, sound, signal } = decoding
  const known = await beginRow(platform, job, file)
  const last: StoredSection[] = []
  const outcome = await platform.blobs.withMedia(file.id, async (source) => {
    const { pcm, outcome } =
      sound.voices === null
        ? decode(source, sound, { signal, copyTo })
        : decodeVoices(source, sound, sound.voices, { signal, voiceMs: voiceLengthMs(file) })
    for await (const { isLast, ...section } of cutSections(pcm)) {
      // Stored by an earlier run: the same audio gives the same sections.
      if (section.section < known) continue
      if (isLast) last.push(section)
      else await store(decoding, section)
    }
    return await outcome
  })
  signal.throwIfAborted()
  const isWhole = !outcome.missing && damage(file, outcome) === null
  if (isWhole && copyTo !== undefined)
    await keepCopy(platform, file, { path: copyTo, decodedMs: outcome.decodedMs }, signal)
  for (const section of isWhole ? last : []) await store(decoding, section)
  return outcome
}

/**
 * Decodes all of a recording and, in the same pass, makes the listening copy that it needs if players seek inexactly in
 * it, or play another track.
 */
async function decodeOnce(decoding: Decoding): Promise<DecodeOutcome> {
  if (!needsCopy(decoding.file, decoding.sound)) return await decodeSections(decoding, undefined)
  const copyTo = decoding.platform.blobs.temporary()
  try {
    if (decoding.sound.voices !== null) return await decodeVoicesAndMix(decoding, copyTo)
    const outcome = await decodeSections(decoding, copyTo)
    // Nothing at all is read by an ffmpeg without the copy's encoder, too.
    return outcome.decodedMs > 0 || outcome.missing ? outcome : await decodeSections(decoding, undefined)
  } finally {
    await rm(copyTo, { force: true })
  }
}

/** Players get the mix of all speakers, which takes a pass of its own. */
async function decodeVoicesAndMix(decoding: Decoding, copyTo: string): Promise<DecodeOutcome> {
  const { platform, file, sound, signal } = decoding
  const mixedMs = await platform.blobs.withMedia(file.id, async (source) => {
    const { pcm, outcome } = decode(source, sound, { signal, copyTo })
    for await (const _samples of pcm);
    return (await outcome).decodedMs
  })
  if (mixedMs > 0) await keepCopy(platform, file, { path: copyTo, decodedMs: mixedMs }, signal)
  return await decodeSections(decoding, undefined)
}

/** @returns how many sections an earlier run has stored */
async function beginRow({ db }: Platform, job: Job, file: FileRow): Promise<number> {
  const row = await selectRecognition(db, file.id)
  if (row !== undefined) return row.sections
  const { id: file_id, account_id } = file
  await writeAccount(db, account_id, async (trx) => {
    if (await isClaimed(trx, job)) await trx.insertInto('recognitions').values({ file_id, account_id }).execute()
  })
  return 0
}

/** Stores which sound is heard, if it is not all of the recording's. */
async function storeHeard(platform: Platform, file: FileRow, { track, tracks, name, channel, voices }: ChosenSound) {
  if (tracks === 1 && channel === null && voices === null) return
  const side = channel === null ? null : channel === 0 ? 'left' : 'right'
  const shorten = (title: string) => oneLine(title).slice(0, maxNameLength)
  const heard: HeardSound = {
    ...{ track: track + 1, tracks, name: shorten(name), channel: side },
    ...(voices && { voices: voices.map((voice) => shorten(voice.name)) }),
  }
  const heard_json = JSON.stringify(heard)
  if (heard_json !== file.heard_json) await changeFile(platform, file.id, () => ({ heard_json }))
}

/**
 * Decodes a recording once, in order, and stores its audio in sections, each enqueued for recognition immediately.
 * After a restart it decodes from the start, which is fast, and stores only missing sections. Few containers allow
 * exact seeking.
 */
export async function decodeRecording(
  platform: Platform,
  job: Job,
  file: FileRow,
  signal: AbortSignal,
): Promise<JobEnd> {
  const sound = await platform.blobs.withMedia(file.id, (source) => chooseSound(source, file.sound, signal))
  await storeHeard(platform, file, sound)
  const decoded = await decodeOnce({ platform, job, file, sound, signal })
  if (decoded.missing) {
    await setDelay(platform, file.id, 'ffmpeg is not installed where the service runs: apt-get install ffmpeg.')
    return { end: 'again', afterMs: triesAgainAfterMs }
  }
  const reason = damage(file, decoded)
  if (reason !== null) {
    await giveUpRecognition(platform, file.id, reason)
    return { end: 'done' }
  }
  if (decoded.decodedMs < file.duration_ms - toleratedLossMs) {
    await changeFile(platform, file.id, () => ({ readable_ms: decoded.decodedMs }))
  }
  const voices = await platform.blobs.withMedia(file.id, (source) => channelVoices(source, sound, signal))
  return {
    end: 'done',
    async also(trx) {
      const voices_json = voices && JSON.stringify(voices)
      await trx.updateTable('recognitions').set({ voices_json }).where('file_id', '=', file.id).execute()
      await joinIfLast(trx, file, platform.clock())
    },
  }
}

import { type ByteSource, chargedSeconds, type MediaFacts, textAt, toMilliseconds, unknownFacts } from './bytes.ts'
import { type Frame, findFrame, readFrame } from './mp3-frames.ts'
import { id3Bytes } from './sniff.ts'

/** What a Xing, Info or VBRI header says in place of a first frame; null if there is none. */
function readSummary(view: DataView, at: number, frame: Frame): { frames: number; bytes: number } | null {
  const side = frame.isVersion1 ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17
  const tag = at + 4 + side
  if (textAt(view, at + 36, 4) === 'VBRI' && at + 54 <= view.byteLength) {
    return { bytes: view.getUint32(at + 46), frames: view.getUint32(at + 50) }
  }
  if (!['Xing', 'Info'].includes(textAt(view, tag, 4)) || tag + 16 > view.byteLength) return null
  const hasBoth = (view.getUint32(tag + 4) & 3) === 3
  return hasBoth ? { frames: view.getUint32(tag + 8), bytes: view.getUint32(tag + 12) } : { frames: 0, bytes: 0 }
}

/** Where the sound ends: tags after it (ID3v1, APE) are none. */
async function soundEnd(source: ByteSource): Promise<number> {
  const tail = await source.read(Math.max(0, source.size - 160), 160)
  const id3 = textAt(tail, tail.byteLength - 128, 3) === 'TAG' ? 128 : 0
  const ape = tail.byteLength - id3 - 32
  const apeBytes = textAt(tail, ape, 8) === 'APETAGEX' ? tail.getUint32(ape + 12, true) + 32 : 0
  return source.size - id3 - apeBytes
}

/**
 * Length of MP3 (and layers I and II): by the frame count of its Xing or VBRI header if its byte count is that of the
 * file; without a header by the bit rate, if it is the same at several places; else all frames are counted, as in joined
 * recordings, cut ones and variable rates from a pipe.
 */
export async function readMp3(source: ByteSource): Promise<MediaFacts> {
  const tag = id3Bytes(await source.read(0, 10))
  const view = await source.read(tag, 65_536)
  const at = findFrame(view, 0)
  const first = readFrame(view, at)
  if (first === null) return unknownFacts
  const start = tag + at
  const end = await soundEnd(source)
  const summary = readSummary(view, at, first)
  const missing = summary === null ? 0 : summary.bytes - (end - start)
  const stated = ((summary?.frames ?? 0) * first.samples) / first.sampleRate
  let seconds: number
  if (summary !== null && Math.abs(missing) < 4_096 && stated > 0) seconds = stated
  else if (summary === null && (await hasConstantRate(source, start, end, first))) {
    // With the tags after it, which the service's estimate includes, too.
    seconds = ((source.size - start) / first.exactBytes) * (first.samples / first.sampleRate)
  } else {
    const here = await countSeconds(source, start, end)
    seconds = missing > 0 ? chargedSeconds(here, stated) : here
  }
  return { durationMs: toMilliseconds(seconds), hasSound: true }
}

const sampledPlaces = 5

/** True if frames at several places, from the first to the last, have the same rate. */
async function hasConstantRate(source: ByteSource, start: number, end: number, first: Frame): Promise<boolean> {
  const sampleBytes = Math.ceil(first.exactBytes * 50)
  for (let place = 0; place < sampledPlaces; place += 1) {
    const from = start + Math.max(0, Math.floor(((end - start - sampleBytes) * place) / (sampledPlaces - 1)))
    const view = await source.read(from, sampleBytes)
    for (let at = findFrame(view, 0); at + 4 <= view.byteLength; ) {
      const frame = readFrame(view, at)
      if (frame === null || frame.exactBytes !== first.exactBytes) return false
      at += frame.bytes
    }
  }
  return true
}

const windowBytes = 1_048_576
/** Beyond this much, the rest is estimated by its size. */
const countedBytes = 1_000_000_000

/** Walks all frames, past anything short between them, such as the tags of a second recording. */
async function countSeconds(source: ByteSource, start: number, end: number): Promise<number> {
  let seconds = 0
  // A recording's first frame may hold its summary instead of sound; those of joined ones count, as when decoding.
  const first = await afterSummary(source, start)
  let from = first
  while (from < Math.min(end, first + countedBytes)) {
    const view = await source.read(from, Math.min(windowBytes, end - from))
    const walked = walkWindow(view)
    seconds += walked.seconds
    // A megabyte without a frame is no MP3.
    if (walked.seconds === 0) return seconds
    if (from + view.byteLength >= end) from = end
    else from += walked.bytes
  }
  // To the next millisecond: a sum of thousands of frames may be a little short.
  return Math.ceil(((seconds * (end - first)) / (from - first)) * 1_000 - 0.01) / 1_000
}

/** Counts the whole frames of a view. @returns where the next one begins */
function walkWindow(view: DataView): { seconds: number; bytes: number } {
  let seconds = 0
  let at = 0
  while (at + 4 <= view.byteLength) {
    const frame = readFrame(view, at)
    if (frame === null) at = findFrame(view, at + 1)
    else if (at + frame.bytes > view.byteLength) break
    else {
      seconds += frame.samples / frame.sampleRate
      at += frame.bytes
    }
  }
  return { seconds, bytes: Math.min(at, view.byteLength) }
}

async function afterSummary(source: ByteSource, start: number): Promise<number> {
  const view = await source.read(start, 4_096)
  const frame = readFrame(view, 0)
  return frame !== null && readSummary(view, 0, frame) !== null ? start + frame.bytes : start
}

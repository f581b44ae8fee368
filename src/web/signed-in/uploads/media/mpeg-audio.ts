import { type ByteSource, type MediaFacts, textAt, toMilliseconds, unknownFacts } from './bytes.ts'
import { id3Bytes } from './sniff.ts'

const layer3Rates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const sampleRates = [44_100, 48_000, 32_000] as const

type Frame = { bytes: number; samples: number; sampleRate: number; isMono: boolean; isVersion1: boolean }

/** Reads a Layer III frame header (ISO 11172-3 and 13818-3); null if there is none, or one of free format. */
function readFrame(view: DataView, at: number): Frame | null {
  if (at + 4 > view.byteLength || view.getUint8(at) !== 0xff) return null
  const [second, third, fourth] = [view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3)]
  const version = (second >> 3) & 3
  if (second < 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return null
  const isVersion1 = version === 3
  const kilobits = layer3Rates[isVersion1 ? 1 : 2][third >> 4]
  const rate = sampleRates[(third >> 2) & 3]
  if (!kilobits || rate === undefined) return null
  const sampleRate = isVersion1 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = isVersion1 ? 1_152 : 576
  const bytes = Math.floor((samples * kilobits * 125) / sampleRate) + ((third >> 1) & 1)
  return { bytes, samples, sampleRate, isMono: fourth >> 6 === 3, isVersion1 }
}

/** Number of frames from the Xing or Info header; null if there is none. */
function countedFrames(view: DataView, at: number, frame: Frame): number | null {
  const side = frame.isVersion1 ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17
  const tag = at + 4 + side
  if (!['Xing', 'Info'].includes(textAt(view, tag, 4)) || tag + 12 > view.byteLength) return null
  return view.getUint32(tag + 4) & 1 ? view.getUint32(tag + 8) : null
}

/**
 * Length of MP3: by the frame count of its Xing or Info header; without one by the bit rate, only if the first hundred
 * frames agree on it. Null for variable rates without a header: the browser's player is then asked.
 */
export async function readMp3(source: ByteSource): Promise<MediaFacts> {
  const tag = id3Bytes(await source.read(0, 10))
  const view = await source.read(tag, 65_536)
  let at = 0
  while (at < view.byteLength && !isSteady(view, at)) at += 1
  const first = readFrame(view, at)
  if (first === null) return unknownFacts
  const frames = countedFrames(view, at, first)
  if (frames !== null) {
    return { durationMs: toMilliseconds((frames * first.samples) / first.sampleRate), hasSound: true }
  }
  if (!hasConstantRate(view, at, first)) return { durationMs: null, hasSound: true }
  const bytesPerSecond = (first.bytes * first.sampleRate) / first.samples
  return { durationMs: toMilliseconds((source.size - tag - at) / bytesPerSecond), hasSound: true }
}

/** True if a frame header is followed by another at the distance it announces. */
function isSteady(view: DataView, at: number): boolean {
  const frame = readFrame(view, at)
  if (frame === null) return false
  return at + frame.bytes + 4 > view.byteLength || readFrame(view, at + frame.bytes) !== null
}

function hasConstantRate(view: DataView, start: number, first: Frame): boolean {
  let at = start
  for (let count = 0; count < 100; count += 1) {
    const frame = readFrame(view, at)
    if (frame === null) return count > 1
    if (Math.abs(frame.bytes - first.bytes) > 1) return false
    at += frame.bytes
  }
  return true
}

const adtsRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const countedBytes = 4 * 1_048_576

/**
 * Length of raw AAC (ADTS): counts frames of 1,024 samples over the first 4 MiB and extrapolates by size, since the
 * format stores no length.
 */
export async function readAdts(source: ByteSource): Promise<MediaFacts> {
  const tag = id3Bytes(await source.read(0, 10))
  const view = await source.read(tag, countedBytes)
  let at = 0
  let samples = 0
  let sampleRate = 0
  while (at + 7 <= view.byteLength && view.getUint8(at) === 0xff && view.getUint8(at + 1) >= 0xf0) {
    const bytes = (view.getUint32(at + 3) >>> 13) & 0x1fff || 0
    if (bytes < 7) break
    sampleRate = adtsRates[(view.getUint8(at + 2) >> 2) & 15] ?? 0
    samples += 1_024 * ((view.getUint8(at + 6) & 3) + 1)
    at += bytes
  }
  if (sampleRate === 0) return unknownFacts
  const counted = samples / sampleRate
  const isWhole = source.size - tag <= countedBytes
  return { durationMs: toMilliseconds(isWhole ? counted : (counted * (source.size - tag)) / at), hasSound: true }
}

const amrNarrowBytes = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
const amrWideBytes = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]
const amrWindowBytes = 1_048_576
const amrCountedBytes = 64 * 1_048_576

/**
 * Length of AMR (RFC 4867): counts frames of 20 ms over the first 64 MiB (ten hours and more), and extrapolates by
 * size.
 */
export async function readAmr(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, 9)
  const isWide = textAt(head, 0, 9) === '#!AMR-WB\n'
  const sizes = isWide ? amrWideBytes : amrNarrowBytes
  const start = isWide ? 9 : 6
  let at = start
  let frames = 0
  while (at < Math.min(source.size, amrCountedBytes)) {
    const view = await source.read(at, amrWindowBytes)
    let local = 0
    while (local < view.byteLength) {
      local += sizes[(view.getUint8(local) >> 3) & 15] ?? 1
      frames += 1
    }
    at += local
  }
  if (at < source.size) frames *= (source.size - start) / (at - start)
  return { durationMs: toMilliseconds(frames / 50), hasSound: true }
}

import { type ByteSource, type MediaFacts, textAt, toMilliseconds, unknownFacts } from './bytes.ts'
import { id3Bytes } from './sniff.ts'

const adtsRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const windowBytes = 1_048_576
const countedBytes = 512 * 1_048_576

/**
 * Length of raw AAC (ADTS), which stores none: counts its frames of 1,024 samples, all at the rate of the first, as
 * decoders do. Beyond 512 MiB it extrapolates by size.
 */
export async function readAdts(source: ByteSource): Promise<MediaFacts> {
  const tag = id3Bytes(await source.read(0, 10))
  let from = tag
  let samples = 0
  let sampleRate = 0
  while (from < Math.min(source.size, countedBytes)) {
    const view = await source.read(from, windowBytes)
    let at = 0
    while (at + 7 <= view.byteLength && view.getUint8(at) === 0xff && view.getUint8(at + 1) >= 0xf0) {
      const bytes = (view.getUint32(at + 3) >>> 13) & 0x1fff
      // One that is cut off at the end counts, as when decoding.
      if (bytes < 7 || (at + bytes > view.byteLength && from + view.byteLength < source.size)) break
      sampleRate ||= adtsRates[(view.getUint8(at + 2) >> 2) & 15] ?? 0
      samples += 1_024 * ((view.getUint8(at + 6) & 3) + 1)
      at += bytes
    }
    if (at === 0) break
    from += at
  }
  if (sampleRate === 0) return unknownFacts
  const isCounted = source.size <= countedBytes
  const seconds = samples / sampleRate
  return {
    durationMs: toMilliseconds(isCounted ? seconds : (seconds * (source.size - tag)) / (from - tag)),
    hasSound: true,
  }
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

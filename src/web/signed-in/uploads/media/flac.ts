import { type ByteSource, chargedSeconds, type MediaFacts, textAt, toMilliseconds, unknownFacts } from './bytes.ts'
import { id3Bytes } from './sniff.ts'

const tailBytes = 131_072

/** Samples per second of a STREAMINFO (RFC 9639) whose content begins at `streamInfo`. */
export function flacRate(view: DataView, streamInfo: number): number {
  return (view.getUint32(streamInfo + 10) >>> 12) & 0xfffff
}

function crc8(view: DataView, from: number, to: number): number {
  let crc = 0
  for (let at = from; at < to; at += 1) {
    crc ^= view.getUint8(at)
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 7) & 0xff : crc << 1
  }
  return crc
}

/** The number in a frame header, coded like UTF-8, of up to 36 bits. */
function codedNumber(view: DataView, at: number): { value: number; bytes: number } {
  const first = view.getUint8(at)
  const bytes = first < 0x80 ? 1 : Math.clz32(~(first << 24))
  let value = bytes === 1 ? first : first & (0x7f >> bytes)
  for (let index = 1; index < bytes; index += 1) value = value * 64 + (view.getUint8(at + index) & 0x3f)
  return { value, bytes }
}

/** Samples up to the end of the frame at `at`; null if no frame header is there. */
function frameEnd(view: DataView, at: number, blockSamples: number): number | null {
  if (view.getUint8(at) !== 0xff || (view.getUint8(at + 1) & 0xfe) !== 0xf8 || at + 17 > view.byteLength) return null
  const [sizeCode, rateCode] = [view.getUint8(at + 2) >> 4, view.getUint8(at + 2) & 15]
  const { value, bytes } = codedNumber(view, at + 4)
  const size = at + 4 + bytes
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const end = size + sizeBytes + (rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0)
  if (bytes > 7 || sizeCode === 0 || crc8(view, at, end) !== view.getUint8(end)) return null
  const coded = sizeBytes === 1 ? view.getUint8(size) + 1 : sizeBytes === 2 ? view.getUint16(size) + 1 : null
  const samples = coded ?? (sizeCode === 1 ? 192 : sizeCode < 6 ? 576 * 2 ** (sizeCode - 2) : 256 * 2 ** (sizeCode - 8))
  const isVariable = (view.getUint8(at + 1) & 1) === 1
  return (isVariable ? value : value * blockSamples) + samples
}

/**
 * Length of FLAC: where its last frame ends, by the number in the frame's header; without one, total samples. Both
 * divided by the sampling rate. STREAMINFO alone is 0 in a recording from a pipe, and too long in one that was cut off.
 */
export async function readFlac(source: ByteSource): Promise<MediaFacts> {
  const tag = id3Bytes(await source.read(0, 10))
  const view = await source.read(tag, 42)
  if (textAt(view, 0, 4) !== 'fLaC' || view.byteLength < 26) return unknownFacts
  const declared = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22)
  const tail = await source.read(Math.max(tag + 42, source.size - tailBytes), tailBytes)
  let ended: number | null = null
  for (let at = tail.byteLength - 17; at >= 0 && ended === null; at -= 1) {
    ended = frameEnd(tail, at, view.getUint16(10))
  }
  const isPlausible = ended !== null && (declared === 0 || ended <= declared)
  const rate = flacRate(view, 8)
  const seconds = isPlausible ? chargedSeconds((ended ?? 0) / rate, declared / rate) : declared / rate
  return { durationMs: toMilliseconds(seconds), hasSound: true }
}

import {
  type ByteSource,
  chargedSeconds,
  type MediaFacts,
  textAt,
  toMilliseconds,
  uint64,
  unknownFacts,
} from './bytes.ts'

type Chunk = { id: string; start: number; bytes: number; head: DataView }

/** Chunks from `start` to the end, each with up to 256 bytes of its content; at most 200, to stop on garbage. */
async function* chunks(source: ByteSource, start: number, littleEndian: boolean): AsyncGenerator<Chunk> {
  let at = start
  for (let count = 0; count < 200 && at + 8 <= source.size; count += 1) {
    const view = await source.read(at, 264)
    if (view.byteLength < 8) return
    const bytes = view.getUint32(4, littleEndian)
    yield { id: textAt(view, 0, 4), start: at + 8, bytes, head: new DataView(view.buffer, 8) }
    at += 8 + bytes + (bytes % 2)
  }
}

/** Writers that do not know the size yet put in the largest one, of 31 or 32 bits or somewhat less. */
const unknownSize = 0x7f000000
const plainWavFormats: readonly (number | undefined)[] = [1, 3, 6, 7, 0xfffe]

/**
 * Length of a WAVE file: bytes of `data` divided by the byte rate of `fmt ` (also RF64, EBU 3306, with 64-bit sizes).
 * The byte rate of coded sound (ADPCM of dictation machines, MP3) is rough or zero: there `fact` counts the samples.
 */
export async function readWav(source: ByteSource): Promise<MediaFacts> {
  let format: DataView | null = null
  let codedSamples = 0
  let longBytes: number | null = null
  for await (const chunk of chunks(source, 12, true)) {
    if (chunk.id === 'ds64' && chunk.head.byteLength >= 16) longBytes = uint64(chunk.head, 8, true)
    if (chunk.id === 'fmt ' && chunk.head.byteLength >= 12) format = chunk.head
    if (chunk.id === 'fact' && chunk.head.byteLength >= 4) codedSamples = chunk.head.getUint32(0, true)
    if (chunk.id !== 'data') continue
    // An interrupted recorder leaves 0 or all ones here: then the rest of the file is sound.
    const rest = source.size - chunk.start
    const declared = chunk.bytes === 0xffffffff && longBytes !== null ? longBytes : chunk.bytes
    const isUnknown = declared === 0 || (declared > rest && declared >= unknownSize)
    const bytes = isUnknown ? rest : Math.min(declared, rest)
    const isCoded = codedSamples > 0 && !plainWavFormats.includes(format?.getUint16(0, true))
    const perSecond = format?.getUint32(isCoded ? 4 : 8, true) ?? 0
    const plainSeconds = chargedSeconds(bytes / perSecond, isUnknown ? 0 : declared / perSecond)
    const durationMs = toMilliseconds(isCoded ? codedSamples / perSecond : plainSeconds)
    return { durationMs, hasSound: bytes > 0 }
  }
  return unknownFacts
}

/** An 80-bit IEEE 754 extended number, as used for AIFF's sampling rate. */
function extended80(view: DataView, offset: number): number {
  const exponent = view.getUint16(offset) & 0x7fff
  return uint64(view, offset + 2) * 2 ** (exponent - 16_383 - 63)
}

/** Length of an AIFF or AIFC file: sample frames divided by sampling rate, both in `COMM`. */
export async function readAiff(source: ByteSource): Promise<MediaFacts> {
  for await (const chunk of chunks(source, 12, false)) {
    if (chunk.id === 'COMM' && chunk.head.byteLength >= 18) {
      const seconds = chunk.head.getUint32(2) / extended80(chunk.head, 8)
      return { durationMs: toMilliseconds(seconds), hasSound: chunk.head.getUint16(0) > 0 }
    }
  }
  return unknownFacts
}

/**
 * Length of an AVI file from its stream headers (`strh`: scale, rate, length); the longest stream counts. Null for one
 * from a pipe, or cut off: what it says is not what it has.
 */
export async function readAvi(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, 65_536)
  let seconds = 0
  let hasSound = false
  const isWhole = head.byteLength >= 8 && head.getUint32(4, true) + 8 <= source.size
  for (let at = 12; at + 56 <= head.byteLength; at += 1) {
    if (textAt(head, at, 4) === 'movi') break
    if (textAt(head, at, 4) !== 'strh') continue
    if (textAt(head, at + 8, 4) === 'auds') hasSound = true
    const [scale, rate, length] = [28, 32, 40].map((offset) => head.getUint32(at + offset, true))
    if (isWhole && scale && rate && length && length < 0x3fffffff) seconds = Math.max(seconds, (length * scale) / rate)
  }
  return { durationMs: toMilliseconds(seconds), hasSound }
}

import { type ByteSource, hasBytes, type MediaFacts, textAt, toMilliseconds, uint64, unknownFacts } from './bytes.ts'
import { id3Bytes } from './sniff.ts'

const tailBytes = 131_072

/** Granules per second of an Ogg stream, from its first packet; always 48,000 for Opus (RFC 7845). */
function granuleRate(packet: string, page: DataView, at: number): number | null {
  if (packet.startsWith('OpusHead')) return 48_000
  if (packet.startsWith('\u0001vorbis')) return page.getUint32(at + 12, true)
  if (packet.startsWith('Speex')) return page.getUint32(at + 36, true)
  if (packet.startsWith('\u007fFLAC')) return flacRate(page, at + 17)
  return null
}

function flacRate(view: DataView, streamInfo: number): number {
  return (view.getUint32(streamInfo + 10) >>> 12) & 0xfffff
}

/** The sound streams of an Ogg file by serial number: all first pages are at the beginning (RFC 3533). */
function soundStreams(head: DataView): { serial: number; rate: number; skip: number }[] {
  const streams: { serial: number; rate: number; skip: number }[] = []
  for (let at = 0; textAt(head, at, 4) === 'OggS' && at + 27 < head.byteLength; ) {
    const isFirstPage = (head.getUint8(at + 5) & 2) !== 0
    if (!isFirstPage) break
    const segments = head.getUint8(at + 26)
    const content = at + 27 + segments
    let bytes = 0
    for (let index = 0; index < segments; index += 1) bytes += head.getUint8(at + 27 + index)
    const packet = textAt(head, content, 8)
    const rate = content + 64 <= head.byteLength ? granuleRate(packet, head, content) : null
    const skip = packet.startsWith('OpusHead') ? head.getUint16(content + 10, true) : 0
    if (rate) streams.push({ serial: head.getUint32(at + 14, true), rate, skip })
    at = content + bytes
  }
  return streams
}

/** Length of Ogg, Opus and OGV: the last granule of a sound stream divided by its rate. */
export async function readOgg(source: ByteSource): Promise<MediaFacts> {
  const streams = soundStreams(await source.read(0, 65_536))
  if (streams.length === 0) return { durationMs: null, hasSound: false }
  const tail = await source.read(Math.max(0, source.size - tailBytes), tailBytes)
  let seconds = 0
  for (let at = 0; at + 27 <= tail.byteLength; at += 1) {
    if (!hasBytes(tail, at, '4f67675300')) continue
    const stream = streams.find(({ serial }) => serial === tail.getUint32(at + 14, true))
    const noPacketEnds = hasBytes(tail, at + 6, 'ffffffffffffffff')
    if (stream === undefined || noPacketEnds) continue
    seconds = Math.max(seconds, (uint64(tail, at + 6, true) - stream.skip) / stream.rate)
  }
  return { durationMs: toMilliseconds(seconds), hasSound: true }
}

/** Length of FLAC: total samples divided by sampling rate, both in STREAMINFO (RFC 9639). */
export async function readFlac(source: ByteSource): Promise<MediaFacts> {
  const tag = id3Bytes(await source.read(0, 10))
  const view = await source.read(tag, 42)
  if (textAt(view, 0, 4) !== 'fLaC' || view.byteLength < 26) return unknownFacts
  const samples = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22)
  return { durationMs: toMilliseconds(samples / flacRate(view, 8)), hasSound: true }
}

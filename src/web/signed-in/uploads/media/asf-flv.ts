import {
  type ByteSource,
  chargedSeconds,
  hasBytes,
  indexOfBytes,
  type MediaFacts,
  readingAhead,
  textAt,
  toMilliseconds,
  uint64,
  unknownFacts,
} from './bytes.ts'

const filePropertiesGuid = 'a1dcab8c47a9cf118ee400c00c205365'
const dataGuid = '3626b2758e66cf11a6d900aa0062ce6c'
const audioStreamGuid = '409e69f84d5bcf11a8fd00805f5c442b'

/** Bytes of fields whose size is coded in two bits. */
const codedBytes = [0, 1, 2, 4] as const

/** When an ASF data packet is to be sent, and how long it lasts, in seconds (ASF specification, 5.2). */
function packetTimes(packet: DataView): { begin: number; end: number } {
  const corrected = packet.getUint8(0) & 0x80 ? 1 + (packet.getUint8(0) & 15) : 0
  const flags = packet.getUint8(corrected)
  const lengths = [flags >> 5, flags >> 1, flags >> 3].map((bits) => codedBytes[(bits & 3) as 0 | 1 | 2 | 3])
  const time = corrected + 2 + lengths.reduce<number>((sum, bytes) => sum + bytes, 0)
  const begin = packet.getUint32(time, true) / 1_000
  return { begin, end: begin + packet.getUint16(time + 4, true) / 1_000 }
}

/**
 * Length and sound of WMA and WMV: File Properties (play duration minus preroll) and a stream of type audio. A recording
 * from a pipe, or one that was cut off, has its end in its last packet.
 */
export async function readAsf(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, 262_144)
  const properties = indexOfBytes(head, filePropertiesGuid)
  const data = indexOfBytes(head, dataGuid)
  if (properties < 0 || properties + 100 > head.byteLength) return unknownFacts
  const hasSound = indexOfBytes(head, audioStreamGuid) >= 0
  const preroll = uint64(head, properties + 80, true) / 1e3
  const seconds = uint64(head, properties + 64, true) / 1e7 - preroll
  const packetBytes = head.getUint32(properties + 92, true)
  const isWhole = data >= 0 && data + uint64(head, data + 16, true) <= source.size
  if ((seconds > 0 && isWhole) || data < 0 || packetBytes === 0) {
    return { durationMs: toMilliseconds(seconds + slackSeconds), hasSound }
  }
  const first = data + 50
  const last = first + (Math.floor((source.size - first) / packetBytes) - 1) * packetBytes
  const { begin } = packetTimes(await source.read(first, 64))
  const { begin: lastBegin, end } = packetTimes(await source.read(last, 64))
  // Of a packet that was cut, too, what is there is counted.
  const rest = ((source.size - first) % packetBytes) / packetBytes
  const here = end - begin + rest * (end - lastBegin) + 3 * slackSeconds
  return { durationMs: toMilliseconds(isWhole ? here : chargedSeconds(here, seconds + slackSeconds)), hasSound }
}

/** Its play duration omits the last packet of one stream or the other. */
const slackSeconds = 0.05

/** Milliseconds of an FLV tag's timestamp: 24 bits, followed by the upper 8. */
function tagTime(view: DataView, at: number): number {
  return view.getUint8(at + 7) * 2 ** 24 + (view.getUint32(at + 3) & 0xffffff)
}

/** `duration` of the script tag `onMetaData`: its name, the number marker, eight bytes. */
function metadataSeconds(head: DataView): number {
  const name = indexOfBytes(head, '00086475726174696f6e00')
  return name < 0 || name + 19 > head.byteLength ? 0 : head.getFloat64(name + 11)
}

/** The time of the last tag of a whole recording in seconds; null if none ends where the file does. */
async function lastTagSeconds(source: ByteSource): Promise<number | null> {
  const lastTagBytes = (await source.read(source.size - 4, 4)).getUint32(0)
  if (lastTagBytes + 17 > source.size) return null
  const tag = await source.read(source.size - 4 - lastTagBytes, 16)
  const isTag = (hasBytes(tag, 0, '08') || hasBytes(tag, 0, '09')) && hasBytes(tag, 8, '000000')
  return isTag ? tagTime(tag, 0) / 1_000 : null
}

/** The time of the last tag of a recording that was cut off, by walking to it. */
async function walkTags(source: ByteSource): Promise<number> {
  const ahead = readingAhead(source, 1_048_576)
  let seconds = 0
  for (let at = 13; at + 11 <= source.size; ) {
    const tag = await ahead.read(at, 11)
    if (![8, 9, 18].includes(tag.getUint8(0))) break
    seconds = tagTime(tag, 0) / 1_000
    at += 11 + (tag.getUint32(0) & 0xffffff) + 4
  }
  return seconds
}

/** A tag lasts about this long: a frame of sound or a picture. */
const tagSeconds = 0.05

/** Length and sound of FLV: `onMetaData`, unless the file was cut off; else the time of the last tag. */
export async function readFlv(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, 65_536)
  if (textAt(head, 0, 3) !== 'FLV' || source.size < 32) return unknownFacts
  const hasSound = (head.getUint8(4) & 4) !== 0
  const declared = metadataSeconds(head)
  const last = await lastTagSeconds(source)
  if (declared > 0 && last !== null) return { durationMs: toMilliseconds(declared), hasSound }
  const here = (last ?? (await walkTags(source))) + tagSeconds
  return { durationMs: toMilliseconds(chargedSeconds(here, declared)), hasSound }
}

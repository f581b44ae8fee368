import {
  type ByteSource,
  hasBytes,
  indexOfBytes,
  type MediaFacts,
  textAt,
  toMilliseconds,
  uint64,
  unknownFacts,
} from './bytes.ts'

const filePropertiesGuid = 'a1dcab8c47a9cf118ee400c00c205365'
const audioStreamGuid = '409e69f84d5bcf11a8fd00805f5c442b'

/** Length and sound of WMA and WMV: File Properties (play duration minus preroll) and a stream of type audio. */
export async function readAsf(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, 262_144)
  const properties = indexOfBytes(head, filePropertiesGuid)
  if (properties < 0 || properties + 88 > head.byteLength) return unknownFacts
  const seconds = uint64(head, properties + 64, true) / 1e7 - uint64(head, properties + 80, true) / 1e3
  return { durationMs: toMilliseconds(seconds), hasSound: indexOfBytes(head, audioStreamGuid) >= 0 }
}

/** Milliseconds of an FLV tag's timestamp: 24 bits, followed by the upper 8. */
function tagTime(view: DataView, at: number): number {
  return view.getUint8(at + 7) * 2 ** 24 + (view.getUint32(at + 3) & 0xffffff)
}

/** `duration` of the script tag `onMetaData`: its name, the number marker, eight bytes. */
function metadataSeconds(head: DataView): number {
  const name = indexOfBytes(head, '00086475726174696f6e00')
  return name < 0 || name + 19 > head.byteLength ? 0 : head.getFloat64(name + 11)
}

/** Length and sound of FLV: `onMetaData`, else the time of the last tag; sound by the header's flag. */
export async function readFlv(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, 65_536)
  if (textAt(head, 0, 3) !== 'FLV' || source.size < 32) return unknownFacts
  const hasSound = (head.getUint8(4) & 4) !== 0
  const seconds = metadataSeconds(head)
  if (seconds > 0) return { durationMs: toMilliseconds(seconds), hasSound }
  const lastTagBytes = (await source.read(source.size - 4, 4)).getUint32(0)
  if (lastTagBytes + 4 > source.size) return { durationMs: null, hasSound }
  const tag = await source.read(source.size - 4 - lastTagBytes, 16)
  const isTag = hasBytes(tag, 0, '08') || hasBytes(tag, 0, '09')
  return { durationMs: isTag ? toMilliseconds(tagTime(tag, 0) / 1_000) : null, hasSound }
}

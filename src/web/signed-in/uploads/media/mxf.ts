import {
  type ByteSource,
  hasBytes,
  indexOfBytes,
  type MediaFacts,
  toHex,
  toMilliseconds,
  uint64,
  unknownFacts,
} from './bytes.ts'

const headerBytes = 1_048_576
/** SMPTE 377: prefix of the keys of the header metadata's sets; bytes 13 and 14 name the set. */
const setKey = '060e2b34025301010d0101010101'
const propertyTags = {
  editRate: 0x4b01,
  trackSequence: 0x4803,
  duration: 0x0202,
  instance: 0x3c0a,
  dataDefinition: 0x0201,
}
const timelineTrack = 0x3b
const sequence = 0x0f
const soundEssence = '060e2b34040101010103020202000000'
const pictureEssence = '060e2b34040101010103020201000000'

type MetadataSet = { kind: number; view: DataView; properties: Map<number, { at: number; bytes: number }> }

/** BER length: one byte, or as many bytes as its low bits say. */
function berLength(view: DataView, at: number): { value: number; bytes: number } {
  const first = view.getUint8(at)
  if (first < 0x80) return { value: first, bytes: 1 }
  let value = 0
  for (let index = 1; index <= (first & 0x7f); index += 1) value = value * 256 + view.getUint8(at + index)
  return { value, bytes: 1 + (first & 0x7f) }
}

/** The local sets (2-byte tag, 2-byte length) of the header metadata. */
function readSets(view: DataView): MetadataSet[] {
  const sets: MetadataSet[] = []
  for (
    let at = indexOfBytes(view, setKey);
    at >= 0 && at + 26 < view.byteLength;
    at = indexOfBytes(view, setKey, at + 16)
  ) {
    const length = berLength(view, at + 16)
    const properties: MetadataSet['properties'] = new Map()
    const start = at + 16 + length.bytes
    const end = Math.min(start + length.value, view.byteLength)
    for (let item = start; item + 4 <= end; ) {
      const bytes = view.getUint16(item + 2)
      if (item + 4 + bytes <= end) properties.set(view.getUint16(item), { at: item + 4, bytes })
      item += 4 + bytes
    }
    sets.push({ kind: view.getUint8(at + 14), view, properties })
  }
  return sets
}

function tagBytes(set: MetadataSet, tag: number): string | null {
  const property = set.properties.get(tag)
  if (property === undefined) return null
  return toHex(new DataView(set.view.buffer, set.view.byteOffset + property.at, property.bytes))
}

function trackSeconds(track: MetadataSet, sequences: readonly MetadataSet[]): number {
  const rate = track.properties.get(propertyTags.editRate)
  const reference = tagBytes(track, propertyTags.trackSequence)
  const target = sequences.find((set) => tagBytes(set, propertyTags.instance) === reference)
  const duration = target?.properties.get(propertyTags.duration)
  if (rate === undefined || duration === undefined) return 0
  const view = track.view
  // All ones: the recorder did not know the length yet.
  if (hasBytes(view, duration.at, 'ffffffffffffffff')) return 0
  return (uint64(view, duration.at) * view.getUint32(rate.at + 4)) / view.getUint32(rate.at)
}

/** Length and sound of MXF: the timeline tracks' edit rates and the durations of their sequences (SMPTE 377). */
export async function readMxf(source: ByteSource): Promise<MediaFacts> {
  const sets = readSets(await source.read(0, headerBytes))
  const sequences = sets.filter((set) => set.kind === sequence)
  if (sequences.length === 0) return unknownFacts
  const tracks = sets.filter((set) => set.kind === timelineTrack)
  const seconds = Math.max(0, ...tracks.map((track) => trackSeconds(track, sequences)))
  const kinds = sequences.map((set) => tagBytes(set, propertyTags.dataDefinition))
  const hasSound = kinds.includes(soundEssence) ? true : kinds.includes(pictureEssence) ? false : null
  return { durationMs: toMilliseconds(seconds), hasSound }
}

import { type SoundTrack, soundTrack, textAt } from './bytes.ts'

/** Stream types of sound (ISO 13818-1, table 2-34; ATSC A/53; AVCHD). */
const soundTypes = [0x03, 0x04, 0x0f, 0x11, 0x1c, 0x81, 0x82, 0x84, 0x85, 0x86, 0x87]
const privateData = 0x06
/** Descriptors of AC-3, E-AC-3, DTS and AAC in private data (ETSI EN 300 468). */
const soundDescriptors = [0x6a, 0x7a, 0x7b, 0x7c]
const languageDescriptor = 0x0a
const registrationDescriptor = 0x05

/**
 * The first section of a table that a view has on a packet id, in one packet or several.
 * @returns null: there is none, or only part of it
 */
function readSection(view: DataView, packetBytes: number, from: number, pid: number): DataView | null {
  let bytes: number[] = []
  for (let at = from; at + 188 <= view.byteLength && view.getUint8(at) === 0x47; at += packetBytes) {
    if ((view.getUint16(at + 1) & 0x1fff) !== pid || (view.getUint8(at + 3) & 0x10) === 0) continue
    const hasAdaptation = (view.getUint8(at + 3) & 0x20) !== 0
    let payload = at + 4 + (hasAdaptation ? 1 + view.getUint8(at + 4) : 0)
    const starts = (view.getUint8(at + 1) & 0x40) !== 0
    if (starts === bytes.length > 0 || payload >= at + 188) continue
    if (starts) payload += 1 + view.getUint8(payload)
    if (payload >= at + 188) continue
    bytes = [...bytes, ...new Uint8Array(view.buffer, view.byteOffset + payload, at + 188 - payload)]
    const length = 3 + ((((bytes[1] ?? 0) & 15) << 8) | (bytes[2] ?? 0))
    if (bytes.length >= length) return new DataView(Uint8Array.from(bytes.slice(0, length)).buffer)
  }
  return null
}

type Descriptor = { tag: number; at: number; bytes: number }

function* descriptors(view: DataView, from: number, end: number): Generator<Descriptor> {
  for (let at = from; at + 2 <= end; at += 2 + view.getUint8(at + 1)) {
    yield { tag: view.getUint8(at), at: at + 2, bytes: view.getUint8(at + 1) }
  }
}

/** @returns the track of a stream of the program's map, null if it is not of sound */
function readStream(map: DataView, at: number, end: number): SoundTrack | null {
  const all = [...descriptors(map, at + 5, end)]
  const type = map.getUint8(at)
  const isOpus = ({ tag, at: from }: Descriptor) => tag === registrationDescriptor && textAt(map, from, 4) === 'Opus'
  const isSound =
    type === privateData
      ? all.some((one) => soundDescriptors.includes(one.tag) || isOpus(one))
      : soundTypes.includes(type)
  const language = all.find(({ tag, bytes }) => tag === languageDescriptor && bytes >= 3)
  return isSound ? soundTrack('', language ? textAt(map, language.at, 3) : '', false) : null
}

/**
 * The sound tracks of a transport stream with one program, by its Program Association and Map tables, in the order in
 * which the service numbers them.
 * @param from where the view's first packet begins
 */
export function readTransportTracks(view: DataView, packetBytes: number, from: number): SoundTrack[] {
  const programs = readSection(view, packetBytes, from, 0)
  // After the header come four bytes a program, network information as number 0, and a checksum of four.
  const pids = Array.from({ length: Math.max(0, ((programs?.byteLength ?? 0) - 12) >> 2) }, (_, index) => 8 + 4 * index)
    .filter((at) => programs?.getUint16(at) !== 0)
    .map((at) => (programs?.getUint16(at + 2) ?? 0) & 0x1fff)
  const map = pids.length === 1 ? readSection(view, packetBytes, from, pids[0] ?? 0) : null
  if (map === null) return []
  const tracks: SoundTrack[] = []
  for (let at = 12 + (map.getUint16(10) & 0xfff); at + 5 <= map.byteLength - 4; ) {
    const end = at + 5 + (map.getUint16(at + 3) & 0xfff)
    const track = readStream(map, at, end)
    if (track !== null) tracks.push(track)
    at = end
  }
  return tracks
}

import { type ByteSource, type MediaFacts, toMilliseconds, unknownFacts } from './bytes.ts'

type Element = { id: number; start: number; end: number }

/** A variable-length number (RFC 8794): the leading zeros of its first byte give the number of bytes. */
function readVarint(view: DataView, at: number, keepMarker: boolean): { value: number; bytes: number } | null {
  if (at >= view.byteLength) return null
  const first = view.getUint8(at)
  const bytes = Math.clz32(first) - 23
  if (bytes > 8 || at + bytes > view.byteLength) return null
  let value = keepMarker ? first : first & (0xff >> bytes)
  let allOnes = (first & (0xff >> bytes)) === 0xff >> bytes
  for (let index = 1; index < bytes; index += 1) {
    const next = view.getUint8(at + index)
    if (next !== 0xff) allOnes = false
    value = value * 256 + next
  }
  return { value: !keepMarker && allOnes ? Number.POSITIVE_INFINITY : value, bytes }
}

function readElement(view: DataView, at: number): Element | null {
  const id = readVarint(view, at, true)
  if (id === null) return null
  const size = readVarint(view, at + id.bytes, false)
  if (size === null) return null
  const start = at + id.bytes + size.bytes
  return { id: id.value, start, end: start + size.value }
}

function* elements(view: DataView, start: number, end: number): Generator<Element> {
  for (let at = start; at < Math.min(end, view.byteLength); ) {
    const element = readElement(view, at)
    if (element === null) return
    yield element
    at = element.end
  }
}

function unsigned(view: DataView, element: Element): number {
  let value = 0
  for (let at = element.start; at < element.end && at < view.byteLength; at += 1)
    value = value * 256 + view.getUint8(at)
  return value
}

function float(view: DataView, element: Element): number {
  if (element.end > view.byteLength) return Number.NaN
  return element.end - element.start === 8 ? view.getFloat64(element.start) : view.getFloat32(element.start)
}

const ids = { segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489, cluster: 0x1f43b675 }
const trackIds = { tracks: 0x1654ae6b, entry: 0xae, type: 0x83 }
const soundTrack = 2

function infoSeconds(view: DataView, info: Element): number {
  let scale = 1_000_000
  let duration = 0
  for (const child of elements(view, info.start, info.end)) {
    if (child.id === ids.scale) scale = unsigned(view, child)
    if (child.id === ids.duration) duration = float(view, child)
  }
  return (duration * scale) / 1e9
}

function tracksHaveSound(view: DataView, tracks: Element): boolean {
  for (const entry of elements(view, tracks.start, tracks.end)) {
    if (entry.id !== trackIds.entry) continue
    for (const child of elements(view, entry.start, entry.end)) {
      if (child.id === trackIds.type && unsigned(view, child) === soundTrack) return true
    }
  }
  return false
}

/** Length and sound of Matroska and WebM, from `Info` and `Tracks` before the first cluster (RFC 9559). */
export async function readMatroska(source: ByteSource): Promise<MediaFacts> {
  const view = await source.read(0, 1_048_576)
  const segment = [...elements(view, 0, view.byteLength)].find((element) => element.id === ids.segment)
  if (segment === undefined) return unknownFacts
  let facts: MediaFacts = unknownFacts
  for (const element of elements(view, segment.start, segment.end)) {
    if (element.id === ids.info) facts = { ...facts, durationMs: toMilliseconds(infoSeconds(view, element)) }
    if (element.id === trackIds.tracks) facts = { ...facts, hasSound: tracksHaveSound(view, element) }
    if (element.id === ids.cluster) break
  }
  return facts
}

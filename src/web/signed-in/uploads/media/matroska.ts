import {
  type ByteSource,
  indexOfBytes,
  type MediaFacts,
  readingAhead,
  type SoundTrack,
  severalTracks,
  soundTrack,
  toMilliseconds,
  unknownFacts,
} from './bytes.ts'

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

const ids = { segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489, tracks: 0x1654ae6b }
const trackIds = { entry: 0xae, type: 0x83, name: 0x536e, language: 0x22b59c, isDefault: 0x88 }
const clusterIds = { cluster: 0x1f43b675, time: 0xe7, simpleBlock: 0xa3, blockGroup: 0xa0, block: 0xa1 }
const soundType = 2

function readInfo(view: DataView): { scale: number; duration: number } {
  let scale = 1_000_000
  let duration = 0
  for (const child of elements(view, 0, view.byteLength)) {
    if (child.id === ids.scale) scale = unsigned(view, child)
    if (child.id === ids.duration) duration = float(view, child)
  }
  return { scale, duration }
}

function readTracks(view: DataView): SoundTrack[] {
  const entries = [...elements(view, 0, view.byteLength)].filter(({ id }) => id === trackIds.entry)
  return entries.flatMap((entry) => {
    const fields = new Map([...elements(view, entry.start, entry.end)].map((child) => [child.id, child]))
    const number = (id: number) => {
      const field = fields.get(id)
      return field === undefined ? null : unsigned(view, field)
    }
    const text = (id: number) => {
      const { start, end } = fields.get(id) ?? { start: 0, end: 0 }
      const bytes = new Uint8Array(
        view.buffer,
        view.byteOffset + start,
        Math.max(0, Math.min(end, view.byteLength) - start),
      )
      return new TextDecoder().decode(bytes)
    }
    if (number(trackIds.type) !== soundType) return []
    return [soundTrack(text(trackIds.name), text(trackIds.language), number(trackIds.isDefault) !== 0)]
  })
}

/** Times of the blocks in a view that begins with a cluster, by track, in the file's unit. */
function blockTimes(view: DataView): Map<number, number[]> {
  const times = new Map<number, number[]>()
  let base = 0
  for (let at = 0; at < view.byteLength; ) {
    const element = readElement(view, at)
    if (element === null) break
    const isBlock = element.id === clusterIds.simpleBlock || element.id === clusterIds.block
    if (element.id === clusterIds.time) base = unsigned(view, element)
    if (isBlock) {
      const track = readVarint(view, element.start, false)
      if (track === null || element.start + track.bytes + 2 > view.byteLength) break
      const list = times.get(track.value) ?? []
      list.push(base + view.getInt16(element.start + track.bytes))
      times.set(track.value, list)
    }
    // Clusters of a live recording have no size.
    const isEntered = element.id === clusterIds.cluster || element.id === clusterIds.blockGroup
    at = isEntered ? element.start : element.end
  }
  return times
}

/** When the last block ends, in the file's unit: each track's lasts as long as the one before it. */
function endOf(times: Map<number, number[]>): number {
  const ends = [...times.values()].map((list) => {
    const [before, last] = list.toSorted((a, b) => a - b).slice(-2) as [number, number | undefined]
    return last === undefined ? before : 2 * last - before
  })
  return Math.max(...ends)
}

const tailSizes = [1_048_576, 16 * 1_048_576]

/** When the last cluster ends, in the file's unit; null if there is none at the end of the file. */
async function readEnd(source: ByteSource): Promise<number | null> {
  for (const tailBytes of tailSizes) {
    const tail = await source.read(Math.max(0, source.size - tailBytes), tailBytes)
    for (let at = indexOfBytes(tail, '1f43b675'); at >= 0; at = indexOfBytes(tail, '1f43b675', at + 1)) {
      const times = blockTimes(new DataView(tail.buffer, tail.byteOffset + at))
      if (times.size > 0) return endOf(times)
    }
  }
  return null
}

type Head = { scale: number; duration: number; tracks: SoundTrack[] | null; firstTime: number; isWhole: boolean }

/** Reads what is before the first cluster, and the time of its first block (RFC 9559). */
async function readBeginning(source: ByteSource): Promise<Head | null> {
  const ahead = readingAhead(source, 65_536)
  const start = await ahead.read(0, 65_536)
  const segment = [...elements(start, 0, start.byteLength)].find((element) => element.id === ids.segment)
  if (segment === undefined) return null
  const isWhole = segment.end <= source.size
  let head: Head = { scale: 1_000_000, duration: 0, tracks: null, firstTime: 0, isWhole }
  for (let at = segment.start; at < source.size; ) {
    const element = readElement(await ahead.read(at, 12), 0)
    if (element === null) break
    const content = async () => ahead.read(at + element.start, Math.min(element.end - element.start, mostHeaderBytes))
    if (element.id === ids.info) head = { ...head, ...readInfo(await content()) }
    if (element.id === ids.tracks) head = { ...head, tracks: readTracks(await content()) }
    if (element.id === clusterIds.cluster) {
      const times = [...blockTimes(await ahead.read(at, 65_536)).values()].flat()
      return { ...head, firstTime: times.length === 0 ? 0 : Math.min(...times) }
    }
    at += element.end
  }
  return head
}

const mostHeaderBytes = 4 * 1_048_576
/** A beginning this late (seconds) is a time of a stream, not an offset between its tracks. */
const lateSeconds = 0.1

/**
 * Length and sound of Matroska and WebM: the declared duration from the first block on; of live recordings, which have
 * none, and of those that were cut off, the end of the last block minus the beginning of the first.
 */
export async function readMatroska(source: ByteSource): Promise<MediaFacts> {
  const head = await readBeginning(source)
  if (head === null) return unknownFacts
  const { scale, duration, tracks, firstTime, isWhole } = head
  const sound = { hasSound: tracks && tracks.length > 0, ...severalTracks(tracks ?? []) }
  const isDeclared = duration > 0 && Number.isFinite(duration) && isWhole
  const end = isDeclared ? duration : await readEnd(source)
  if (end === null) return { durationMs: null, ...sound }
  const isLate = !isDeclared || (firstTime * scale) / 1e9 > lateSeconds
  return { durationMs: toMilliseconds(((end - (isLate ? firstTime : 0)) * scale) / 1e9), ...sound }
}

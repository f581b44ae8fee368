import {
  type ByteSource,
  hasBytes,
  indexOfBytes,
  type MediaFacts,
  severalTracks,
  toMilliseconds,
  unknownFacts,
} from './bytes.ts'
import { transportPackets } from './sniff.ts'
import { readTransportTracks } from './transport-tracks.ts'

const windowBytes = 1_048_576
const clockHz = 90_000
const clockWraps = 2 ** 33

/** A 33-bit presentation time stamp of a PES header (ISO 13818-1, 2.4.3.7). */
function presentationTime(view: DataView, at: number): number {
  const [a, b, c] = [view.getUint8(at), view.getUint16(at + 1), view.getUint16(at + 3)]
  return ((a >> 1) & 7) * 2 ** 30 + (b >> 1) * 2 ** 15 + (c >> 1)
}

/** When a packet of a stream begins, in seconds. `bytes`: 0 if it does not say how long it is. */
type Stamp = { stream: number; isSound: boolean; seconds: number; bytes: number }
/** Reads the stamps of a window, in the order of the file. */
type StampReader = (view: DataView) => Stamp[]

const isSound = (streamId: number) => (streamId >= 0xc0 && streamId <= 0xdf) || streamId === 0xbd || streamId === 0xfd
const isPicture = (streamId: number) => streamId >= 0xe0 && streamId <= 0xef

/** The stamp of the PES packet that starts at `at`; null if it has none. */
function readStamp(view: DataView, at: number, stream?: number): Stamp | null {
  if (!hasBytes(view, at, '000001') || at + 19 > view.byteLength) return null
  const streamId = view.getUint8(at + 3)
  if (!isSound(streamId) && !isPicture(streamId)) return null
  const time = (view.getUint8(at + 6) & 0xc0) === 0x80 ? at + 9 : mpeg1TimeAt(view, at)
  if (time === null || (time === at + 9 && (view.getUint8(at + 7) & 0x80) === 0)) return null
  const seconds = presentationTime(view, time) / clockHz
  return { stream: stream ?? streamId, isSound: isSound(streamId), seconds, bytes: view.getUint16(at + 4) }
}

/** MPEG-1 packets have stuffing and buffer sizes before the time stamp (ISO 11172-1, 2.4.3.3). */
function mpeg1TimeAt(view: DataView, start: number): number | null {
  let at = start + 6
  while (at < start + 22 && at < view.byteLength && view.getUint8(at) === 0xff) at += 1
  if (at + 7 > view.byteLength) return null
  if ((view.getUint8(at) & 0xc0) === 0x40) at += 2
  const marker = view.getUint8(at) & 0xf0
  return (marker === 0x20 || marker === 0x30) && at + 5 <= view.byteLength ? at : null
}

function transportStamps(packetBytes: number): StampReader {
  return (view) => {
    const isPacket = (at: number) => hasBytes(view, at, '47') && hasBytes(view, at + packetBytes, '47')
    let at = 0
    while (at + 2 * packetBytes < view.byteLength && !isPacket(at)) at += 1
    const stamps: Stamp[] = []
    for (; at + 188 <= view.byteLength && view.getUint8(at) === 0x47; at += packetBytes) {
      const startsPacket = (view.getUint8(at + 1) & 0x40) !== 0
      const hasAdaptation = (view.getUint8(at + 3) & 0x20) !== 0
      const payload = at + 4 + (hasAdaptation ? 1 + view.getUint8(at + 4) : 0)
      const stamp = startsPacket ? readStamp(view, payload, view.getUint16(at + 1) & 0x1fff) : null
      if (stamp !== null) stamps.push(stamp)
    }
    return stamps
  }
}

/** Follows packet after packet from the first pack header: sound and pictures may contain what looks like one. */
function programStamps(view: DataView): Stamp[] {
  const stamps: Stamp[] = []
  for (let at = indexOfBytes(view, '000001ba'); at >= 0 && at + 14 <= view.byteLength; ) {
    const id = hasBytes(view, at, '000001') ? view.getUint8(at + 3) : 0
    if (id === 0xba) {
      const isMpeg2 = (view.getUint8(at + 4) & 0xc0) === 0x40
      at += isMpeg2 ? 14 + (view.getUint8(at + 13) & 7) : 12
    } else if (id >= 0xbb) {
      const stamp = readStamp(view, at)
      if (stamp !== null) stamps.push(stamp)
      at += 6 + view.getUint16(at + 4)
    } else at = indexOfBytes(view, '000001ba', at + 1)
  }
  return stamps
}

/** A jump of a stream's time, in seconds: beyond it another recording begins, as in joined files. */
const longestJump = 10
/** Pictures are stored in another order than shown. */
const longestStepBack = 1

/**
 * Adds up the time that stamps span. The last packet of each stream lasts as long as the one before it, or less if it is
 * smaller.
 */
class Span {
  readonly #mostAtEnd: number
  #seconds = 0
  #base: number | null = null
  #times = new Map<number, { time: number; bytes: number }[]>()
  hasSound = false

  /** @param mostAtEnd the longest that the last packet may last, in seconds */
  constructor(mostAtEnd: number) {
    this.#mostAtEnd = mostAtEnd
  }

  /** @param mayJump the stamps follow each other in the file, so that a jump is one of the recording */
  add(stamps: readonly Stamp[], mayJump: boolean): void {
    for (const { stream, isSound, seconds, bytes } of stamps) {
      this.hasSound ||= isSound
      this.#base ??= seconds
      // The clock begins at 0 again after 26.5 hours; only what is stored in another order than shown is before the base.
      const wraps = clockWraps / clockHz
      let time = ((seconds - this.#base + longestJump + wraps) % wraps) - longestJump
      const last = this.#times.get(stream)?.at(-1)?.time
      const step = last === undefined ? 0 : time - last
      if (mayJump && (step > longestJump || step < -longestStepBack)) {
        this.#seconds = this.seconds
        this.#times = new Map()
        this.#base = seconds
        time = 0
      }
      const times = this.#times.get(stream) ?? []
      times.push({ time, bytes })
      this.#times.set(stream, times)
    }
  }

  get isEmpty(): boolean {
    return this.#base === null
  }

  get seconds(): number {
    const streams = [...this.#times.values()].map((times) => times.toSorted((a, b) => a.time - b.time))
    if (streams.length === 0) return this.#seconds
    const first = Math.min(...streams.map((times) => times[0]?.time ?? 0))
    const ends = streams.map((times) => {
      const [before, last = before] = times.slice(-2)
      if (before === undefined || last === undefined) return 0
      const share = last.bytes === 0 || before.bytes === 0 ? 1 : Math.min(1, last.bytes / before.bytes)
      return last.time + Math.min(this.#mostAtEnd, (last.time - before.time) * share)
    })
    return this.#seconds + Math.max(...ends) - first
  }
}

const sampledPlaces = 8
const sampleBytes = 262_144
/** Beyond this size a jump is not looked for in all of the file. */
const mostWalkedBytes = 2_000_000_000

/** True if the time goes back somewhere between samples of the file, as in joined recordings. */
async function goesBack(source: ByteSource, read: StampReader): Promise<boolean> {
  const span = (source.size - sampleBytes) / (sampledPlaces - 1)
  let last: Stamp | null = null
  for (let place = 0; place < sampledPlaces; place += 1) {
    const stamps: Stamp[] = read(await source.read(Math.floor(place * span), sampleBytes))
    const stamp: Stamp | undefined = stamps.find(({ stream }) => last === null || stream === last.stream)
    if (stamp === undefined) continue
    const step = last === null ? 0 : stamp.seconds - last.seconds
    // A step back by nearly the whole clock is its end.
    if (step < -longestStepBack && step > -clockWraps / clockHz / 2) return true
    last = stamp
  }
  return false
}

/** Sound and pictures end within this of what their stamps say. */
const slackSeconds = 0.01

async function readSpan(source: ByteSource, read: StampReader, mostAtEnd: number): Promise<MediaFacts> {
  const span = new Span(mostAtEnd)
  const isSmall = source.size <= 2 * windowBytes
  if (isSmall) span.add(read(await source.read(0, source.size)), true)
  else if (source.size <= mostWalkedBytes && (await goesBack(source, read))) {
    for (let at = 0; at < source.size; at += windowBytes) span.add(read(await source.read(at, windowBytes)), true)
  } else {
    span.add(read(await source.read(0, windowBytes)), false)
    span.add(read(await source.read(source.size - windowBytes, windowBytes)), false)
  }
  if (span.isEmpty) return { durationMs: null, hasSound: null }
  return { durationMs: toMilliseconds(span.seconds + slackSeconds), hasSound: span.hasSound }
}

/** Length of an MPEG transport stream (MTS, AVCHD), last minus first presentation time, and its tracks. */
export async function readTransport(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, windowBytes)
  const shape = transportPackets(head)
  if (shape === null) return unknownFacts
  const facts = await readSpan(source, transportStamps(shape.packetBytes), 1)
  return { ...facts, ...severalTracks(readTransportTracks(head, shape.packetBytes, shape.offset)) }
}

/** Length of an MPEG program stream (MPG, MPEG): last minus first presentation time. */
export async function readProgram(source: ByteSource): Promise<MediaFacts> {
  // Its packets have stamps of a few frames only.
  return readSpan(source, programStamps, 0.06)
}

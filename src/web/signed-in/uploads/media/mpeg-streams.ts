import { type ByteSource, hasBytes, type MediaFacts, toMilliseconds, unknownFacts } from './bytes.ts'
import { transportPackets } from './sniff.ts'

const windowBytes = 1_048_576
const clockHz = 90_000
const clockWraps = 2 ** 33

/** A 33-bit presentation time stamp of a PES header (ISO 13818-1, 2.4.3.7). */
function presentationTime(view: DataView, at: number): number {
  const [a, b, c] = [view.getUint8(at), view.getUint16(at + 1), view.getUint16(at + 3)]
  return ((a >> 1) & 7) * 2 ** 30 + (b >> 1) * 2 ** 15 + (c >> 1)
}

type Times = { sound: number[]; picture: number[] }

const isSound = (streamId: number) => (streamId >= 0xc0 && streamId <= 0xdf) || streamId === 0xbd
const isPicture = (streamId: number) => streamId >= 0xe0 && streamId <= 0xef

/** Adds the time of the PES packet that starts at `at`, if it carries one. */
function addTime(times: Times, view: DataView, at: number): void {
  if (!hasBytes(view, at, '000001') || at + 14 > view.byteLength) return
  const streamId = view.getUint8(at + 3)
  if ((view.getUint8(at + 6) & 0xc0) !== 0x80 || (view.getUint8(at + 7) & 0x80) === 0) return
  if (isSound(streamId) || streamId === 0xfd) times.sound.push(presentationTime(view, at + 9))
  else if (isPicture(streamId)) times.picture.push(presentationTime(view, at + 9))
}

function span(first: Times, last: Times): MediaFacts {
  const starts = [...first.sound, ...first.picture]
  const ends = [...last.sound, ...last.picture]
  const hasSound = first.sound.length > 0 || last.sound.length > 0
  if (starts.length === 0 || ends.length === 0) return { durationMs: null, hasSound: null }
  const start = Math.min(...starts)
  const end = Math.max(...ends)
  return { durationMs: toMilliseconds(((end - start + clockWraps) % clockWraps) / clockHz), hasSound }
}

function transportTimes(view: DataView, packetBytes: number): Times {
  const times: Times = { sound: [], picture: [] }
  let at = 0
  while (
    at + 2 * packetBytes < view.byteLength &&
    !(hasBytes(view, at, '47') && hasBytes(view, at + packetBytes, '47'))
  )
    at += 1
  for (; at + 188 <= view.byteLength; at += packetBytes) {
    if (view.getUint8(at) !== 0x47) break
    const startsPacket = (view.getUint8(at + 1) & 0x40) !== 0
    const hasAdaptation = (view.getUint8(at + 3) & 0x20) !== 0
    if (startsPacket) addTime(times, view, at + 4 + (hasAdaptation ? 1 + view.getUint8(at + 4) : 0))
  }
  return times
}

/** Length of an MPEG transport stream (MTS, AVCHD): last minus first presentation time. */
export async function readTransport(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, windowBytes)
  const shape = transportPackets(head)
  if (shape === null) return unknownFacts
  const tail = await source.read(Math.max(0, source.size - windowBytes), windowBytes)
  return span(transportTimes(head, shape.packetBytes), transportTimes(tail, shape.packetBytes))
}

/** MPEG-1 packets have stuffing and buffer sizes before the time stamp (ISO 11172-1, 2.4.3.3). */
function addMpeg1Time(times: Times, view: DataView, start: number): void {
  const streamId = view.getUint8(start + 3)
  let at = start + 6
  while (at < start + 22 && at < view.byteLength && view.getUint8(at) === 0xff) at += 1
  if (at + 7 > view.byteLength) return
  if ((view.getUint8(at) & 0xc0) === 0x40) at += 2
  const marker = view.getUint8(at) & 0xf0
  if ((marker !== 0x20 && marker !== 0x30) || at + 5 > view.byteLength) return
  const list = isSound(streamId) ? times.sound : times.picture
  list.push(presentationTime(view, at))
}

function programTimes(view: DataView): Times {
  const times: Times = { sound: [], picture: [] }
  for (let at = 0; at + 14 <= view.byteLength; at += 1) {
    if (view.getUint8(at) !== 0 || !hasBytes(view, at, '000001')) continue
    const streamId = view.getUint8(at + 3)
    if (!isSound(streamId) && !isPicture(streamId)) continue
    if ((view.getUint8(at + 6) & 0xc0) === 0x80) addTime(times, view, at)
    else addMpeg1Time(times, view, at)
  }
  return times
}

/** Length of an MPEG program stream (MPG, MPEG): last minus first presentation time. */
export async function readProgram(source: ByteSource): Promise<MediaFacts> {
  const head = await source.read(0, windowBytes)
  const tail = await source.read(Math.max(0, source.size - windowBytes), windowBytes)
  return span(programTimes(head), programTimes(tail))
}

import { type ByteSource, type MediaFacts, readingAhead, textAt, toMilliseconds, uint64 } from './bytes.ts'
import { flacRate } from './flac.ts'

const headBytes = 65_536
const tailBytes = 131_072

type Page = {
  start: number
  end: number
  isFirst: boolean
  serial: number
  /** its number within its stream, from 0 */
  sequence: number
  /** null: no packet ends on it */
  granule: number | null
  /** packets that end on it */
  packets: number
}

type Stream = {
  isSound: boolean
  seconds: (granule: number) => number
  /** the longest that one of its packets lasts, in seconds; 0: its granules begin at 0 */
  packetSeconds: number
  /** how long the packet at `at` lasts, if it says so */
  readPacketSeconds?: (view: DataView, at: number) => number
}

/** Reads the page at `at` (RFC 3533) in a view that begins at `offset`; null if none, or only part of one, is there. */
function readPage(view: DataView, at: number, offset: number, fileEnd: number): Page | null {
  if (at + 27 > view.byteLength || textAt(view, at, 4) !== 'OggS' || view.getUint8(at + 4) !== 0) return null
  const segments = view.getUint8(at + 26)
  if (at + 27 + segments > view.byteLength) return null
  let bytes = 0
  let packets = 0
  for (let index = 0; index < segments; index += 1) {
    const lacing = view.getUint8(at + 27 + index)
    bytes += lacing
    if (lacing < 255) packets += 1
  }
  const start = offset + at + 27 + segments
  if (start + bytes > fileEnd) return null
  const noPacketEnds = view.getUint32(at + 6, true) === 0xffffffff && view.getUint32(at + 10, true) === 0xffffffff
  return {
    start,
    end: start + bytes,
    isFirst: (view.getUint8(at + 5) & 2) !== 0,
    serial: view.getUint32(at + 14, true),
    sequence: view.getUint32(at + 18, true),
    granule: noPacketEnds ? null : uint64(view, at + 6, true),
    packets,
  }
}

/** The stream that a first page's packet begins; null if it is of no use here. */
function readStream(view: DataView, at: number): Stream | null {
  const packet = textAt(view, at, 8)
  const counted = (rate: number, samples: number): Stream | null =>
    rate > 0 ? { isSound: true, seconds: (granule) => granule / rate, packetSeconds: samples / rate } : null
  if (at + 64 > view.byteLength && !packet.startsWith('OpusHead')) {
    if (!packet.startsWith('\u0001vorbis') && !packet.startsWith('\u0080theora')) return null
  }
  // Always 48,000 for Opus (RFC 7845), and at most 120 ms a packet.
  if (packet.startsWith('OpusHead')) {
    const stream = counted(48_000, 5_760)
    return stream && { ...stream, readPacketSeconds: opusPacketSeconds }
  }
  if (packet.startsWith('\u0001vorbis')) {
    return counted(view.getUint32(at + 12, true), 2 ** (view.getUint8(at + 28) >> 4) / 2)
  }
  if (packet.startsWith('Speex')) {
    const samples = view.getUint32(at + 56, true) * view.getUint32(at + 64, true)
    const stream = counted(view.getUint32(at + 36, true), samples)
    // Decoders play all of the last packet.
    return stream && { ...stream, seconds: (granule) => stream.seconds(Math.ceil(granule / samples) * samples) }
  }
  if (packet.startsWith('\u007fFLAC')) return counted(flacRate(view, at + 17), view.getUint16(at + 19))
  if (packet.startsWith('\u0080theora')) return readTheora(view, at)
  return null
}

/** How long an Opus packet lasts, by its first bytes (RFC 6716, 3.1). */
function opusPacketSeconds(view: DataView, at: number): number {
  const toc = view.getUint8(at)
  const config = toc >> 3
  const silk = [10, 20, 40, 60][config & 3] ?? 0
  const ms = config < 12 ? silk : config < 16 ? 10 * (1 + (config & 1)) : 2.5 * 2 ** (config & 3)
  const frames = (toc & 3) === 0 ? 1 : (toc & 3) < 3 ? 2 : view.getUint8(at + 1) & 63
  return (ms * frames) / 1_000
}

/** Theora's granule is the number of the last key frame and of the frames since. */
function readTheora(view: DataView, at: number): Stream | null {
  if (at + 42 > view.byteLength) return null
  const framesPerSecond = view.getUint32(at + 22) / view.getUint32(at + 26)
  const shift = (view.getUint16(at + 40) >> 5) & 31 || 0
  const seconds = (granule: number) => (Math.floor(granule / 2 ** shift) + (granule % 2 ** shift)) / framesPerSecond
  return framesPerSecond > 0 ? { isSound: false, seconds, packetSeconds: 0 } : null
}

/** The streams of one link of a chain, from its first pages, with the times at which they begin and end. */
class Link {
  readonly #streams = new Map<number, Stream & { packets: number; first: number | null; last: number }>()

  begin({ serial }: Page, stream: Stream | null): void {
    if (stream !== null) this.#streams.set(serial, { ...stream, packets: 0, first: null, last: 0 })
  }

  has(serial: number): boolean {
    return this.#streams.has(serial)
  }

  get hasSound(): boolean {
    return [...this.#streams.values()].some(({ isSound }) => isSound)
  }

  /**
   * Pages after the first ones, in the order of the file; some may be left out.
   * @param view if given, a view that has the beginning of the page's content, at `at`
   */
  add({ serial, granule, packets }: Page, view?: DataView, at = 0): void {
    const stream = this.#streams.get(serial)
    if (stream === undefined || granule === 0) return
    stream.packets += packets
    if (granule === null) return
    if (stream.first === null && view !== undefined && at + 2 <= view.byteLength) {
      stream.packetSeconds = stream.readPacketSeconds?.(view, at) ?? stream.packetSeconds
    }
    const time = stream.seconds(granule)
    // A recording cut from a stream begins at the stream's time.
    stream.first ??= Math.max(0, stream.packetSeconds === 0 ? 0 : time - stream.packets * stream.packetSeconds)
    stream.last = Math.max(stream.last, time)
  }

  get seconds(): number {
    return Math.max(0, ...[...this.#streams.values()].map(({ first, last }) => last - (first ?? 0)))
  }
}

/**
 * Length of Ogg, Opus and OGV: the last granule minus where the first page begins, summed over chained recordings. Those
 * of one serial number are known as chained by the number of the last page: too few pages for so many bytes.
 */
export async function readOgg(source: ByteSource): Promise<MediaFacts> {
  const link = new Link()
  const { data, isWhole } = await readBeginning(source, link)
  if (!link.hasSound) return { durationMs: null, hasSound: false }
  const from = Math.max(data, source.size - tailBytes)
  const tail = await source.read(from, tailBytes)
  let isChained = true
  let hasLaterLink = isWhole
  let pages = 0
  let first = 0
  const lastSequences = new Map<number, number>()
  for (let at = 0; at + 27 <= tail.byteLength; at += 1) {
    const page = tail.getUint8(at) === 0x4f ? readPage(tail, at, from, source.size) : null
    if (page === null) continue
    isChained = !link.has(page.serial)
    hasLaterLink ||= page.isFirst
    lastSequences.set(page.serial, page.sequence)
    if (pages === 0) first = from + at
    pages += 1
    link.add(page)
  }
  const counted = [...lastSequences.values()].reduce((sum, sequence) => sum + sequence + 1, 0)
  const expectedBytes = data + (counted * (source.size - first)) / pages
  const seconds =
    isChained || hasLaterLink || source.size > 1.2 * expectedBytes ? await walkLinks(source) : link.seconds
  return { durationMs: toMilliseconds(seconds), hasSound: true }
}

/**
 * Reads the first pages of all streams, and the pages after them until sound has begun.
 * @returns where the data begins, and whether it has seen the whole link, as another one begins after it
 */
async function readBeginning(source: ByteSource, link: Link): Promise<{ data: number; isWhole: boolean }> {
  const head = await source.read(0, headBytes)
  let at = 0
  let data = 0
  for (let page = readPage(head, 0, 0, source.size); page !== null; page = readPage(head, at, 0, source.size)) {
    if (page.isFirst && at > data) return { data, isWhole: true }
    if (page.isFirst) link.begin(page, readStream(head, page.start))
    else link.add(page, head, page.start)
    at = page.end
    if (page.isFirst) data = at
  }
  return { data, isWhole: false }
}

/** Adds up chained recordings, walking from page to page through all of the file. */
async function walkLinks(source: ByteSource): Promise<number> {
  const pages = readingAhead(source, 1_048_576)
  let link = new Link()
  let isBeginning = true
  let seconds = 0
  for (let at = 0; at < source.size; ) {
    const view = await pages.read(at, 512)
    const page = readPage(view, 0, at, source.size)
    if (page === null) break
    if (page.isFirst && !isBeginning) {
      seconds += link.seconds
      link = new Link()
    }
    if (page.isFirst) link.begin(page, readStream(view, page.start - at))
    else link.add(page, view, page.start - at)
    isBeginning = page.isFirst
    at = page.end
  }
  return seconds + link.seconds
}

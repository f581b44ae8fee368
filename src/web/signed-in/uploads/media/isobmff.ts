import {
  type ByteSource,
  type MediaFacts,
  readingAhead,
  type SoundTrack,
  severalTracks,
  soundTrack,
  textAt,
  toMilliseconds,
  uint64,
  unknownFacts,
} from './bytes.ts'

type Box = { type: string; start: number; end: number }

/** Reads one box header at `at` (ISO 14496-12: 32-bit size, 64-bit if it is 1, to the end if it is 0). */
function readBox(view: DataView, at: number, offset: number, end: number): Box | null {
  if (at + 8 > view.byteLength) return null
  const short = view.getUint32(at)
  const type = textAt(view, at + 4, 4)
  if (short === 1 && at + 16 > view.byteLength) return null
  const header = short === 1 ? 16 : 8
  const bytes = short === 1 ? uint64(view, at + 8) : short === 0 ? end - offset : short
  return bytes < header ? null : { type, start: offset + header, end: offset + bytes }
}

/** The boxes of the file, from `from` on; at most 100,000, to stop on garbage. */
async function* topBoxes(source: ByteSource, from = 0): AsyncGenerator<Box> {
  let at = from
  for (let count = 0; count < 100_000 && at < source.size; count += 1) {
    const box = readBox(await source.read(at, 16), 0, at, source.size)
    if (box === null) return
    yield box
    at = box.end
  }
}

/** All boxes of a type inside a box whose content is in `view`. */
function children(view: DataView, start: number, end: number, type: string): Box[] {
  const found: Box[] = []
  for (let at = start; at + 8 <= end; ) {
    const box = readBox(view, at, at, end)
    if (box === null) break
    if (box.type === type) found.push(box)
    at = box.end
  }
  return found
}

/** All boxes at the end of a path of types, such as `mdia/mdhd`. */
function boxesAt(view: DataView, parent: Box, path: string): Box[] {
  return path
    .split('/')
    .reduce<Box[]>(
      (boxes, type) => boxes.flatMap((box) => children(view, box.start, Math.min(box.end, view.byteLength), type)),
      [parent],
    )
}

/** Units per second and length in units, of `mvhd` or `mdhd`: the same layout, 32- or 64-bit by version. */
function readTimes(view: DataView, { start }: Box): { scale: number; units: number } {
  const long = view.getUint8(start) === 1
  const units = long ? uint64(view, start + 24) : view.getUint32(start + 16)
  return { scale: view.getUint32(start + (long ? 20 : 12)), units: units === 0xffffffff ? 0 : units }
}

type Track = { id: number; sound: SoundTrack | null; scale: number; seconds: number; defaultUnits: number }

/** What an edit list has played of a track, with the gap before it, and where in the track that begins. In seconds. */
type Edited = { seconds: number; begin: number }

function readEdits(view: DataView, edits: Box, movieScale: number, mediaScale: number): Edited {
  const long = view.getUint8(edits.start) === 1
  const count = Math.min(view.getUint32(edits.start + 4), (edits.end - edits.start) / 12)
  // Rounded in the file, usually to milliseconds.
  let units = 1
  let begin = 0
  for (let index = 0; index < count; index += 1) {
    const at = edits.start + 8 + index * (long ? 20 : 12)
    units += long ? uint64(view, at) : view.getUint32(at)
    const mediaTime = long ? view.getUint32(at + 12) : view.getUint32(at + 4)
    if (index === 0 && mediaTime !== 0xffffffff) begin = mediaTime / mediaScale
  }
  return { seconds: units / movieScale, begin }
}

const aacFrameSamples = 1_024

/** Seconds up to the end of the last frame: the service counts all of it if frames are as long as in a telephone's AAC. */
function wholeFrames({ seconds, begin }: Edited, mediaScale: number): number {
  if (begin < 0.09 || begin > 0.5) return seconds
  const frameSeconds = aacFrameSamples / mediaScale
  return Math.ceil((begin + seconds) / frameSeconds) * frameSeconds - begin
}

const textIn = (view: DataView, start: number, end: number) =>
  new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + start, Math.max(0, end - start)))

/** Languages of the old Macintosh by their codes, which QuickTime has in place of packed letters. */
const macintoshLanguages = (
  'eng fra deu ita nld swe spa dan por nor heb jpn ara fin ell isl mlt tur hrv zho urd hin tha kor lit pol hun est lav ' +
  'smi fao fas rus zho'
).split(' ')

/** A language of `mdhd`: three packed letters (ISO 639-2/T), or a Macintosh code. */
function languageOf(packed: number): string {
  if (packed < 0x400) return macintoshLanguages[packed] ?? ''
  const letters = String.fromCharCode(...[10, 5, 0].map((shift) => ((packed >> shift) & 31) + 0x60))
  return /^[a-z]{3}$/.test(letters) ? letters : ''
}

/** How a track of sound describes itself: title or handler, language, whether it is enabled. */
function describeSound(view: DataView, box: Box, tkhd: Box, mdhd: Box, handler: Box): SoundTrack {
  const packed = view.getUint16(mdhd.start + (view.getUint8(mdhd.start) === 1 ? 32 : 20))
  const [title] = boxesAt(view, box, 'udta/name')
  const name = title ? textIn(view, title.start, title.end) : textIn(view, handler.start + 24, handler.end)
  const isDefault = (view.getUint8(tkhd.start + 3) & 1) === 1
  return soundTrack(name, languageOf(packed), isDefault)
}

/** A track of sound or pictures; null for all else. */
function readTrack(view: DataView, box: Box, moov: Box, movieScale: number): Track | null {
  const [tkhd, mdhd, handler] = ['tkhd', 'mdia/mdhd', 'mdia/hdlr'].map((path) => boxesAt(view, box, path)[0])
  if (tkhd === undefined || mdhd === undefined || handler === undefined) return null
  const kind = textAt(view, handler.start + 8, 4)
  if (kind !== 'soun' && kind !== 'vide') return null
  const id = view.getUint32(tkhd.start + (view.getUint8(tkhd.start) === 1 ? 20 : 12))
  const { scale, units } = readTimes(view, mdhd)
  const [edits] = boxesAt(view, box, 'edts/elst')
  const edited = edits && readEdits(view, edits, movieScale, scale)
  const extended = boxesAt(view, moov, 'mvex/trex').find((trex) => view.getUint32(trex.start + 4) === id)
  const defaultUnits = extended === undefined ? 0 : view.getUint32(extended.start + 12)
  // An edit list of a fragmented recording knows only the beginning, if anything.
  const isEdited = units > 0 && edited !== undefined && edited.seconds * movieScale > 1
  const played = isEdited && kind === 'soun' ? wholeFrames(edited, scale) : edited?.seconds
  const seconds = isEdited && played !== undefined ? played : units / scale
  const sound = kind === 'soun' ? describeSound(view, box, tkhd, mdhd, handler) : null
  return { id, sound, scale, seconds, defaultUnits }
}

/** Units of all samples of a `trun`: each its own or the fragment's. */
function runUnits(view: DataView, { start, end }: Box, defaultUnits: number): number {
  const flags = view.getUint32(start) & 0xffffff
  const count = view.getUint32(start + 4)
  if ((flags & 0x100) === 0) return count * defaultUnits
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length
  const first = start + 8 + ((flags & 1) !== 0 ? 4 : 0) + ((flags & 4) !== 0 ? 4 : 0)
  let units = 0
  for (let at = first; at + 4 * fields <= end && (at - first) / (4 * fields) < count; at += 4 * fields) {
    units += view.getUint32(at)
  }
  return units
}

/** Begin and end of a track's part of a `moof`, in seconds; `followsAt` if it does not say its beginning. */
function fragmentSpan(view: DataView, traf: Box, tracks: readonly Track[], followsAt: (track: Track) => number) {
  const [tfhd] = boxesAt(view, traf, 'tfhd')
  const track = tracks.find(({ id }) => tfhd !== undefined && view.getUint32(tfhd.start + 4) === id)
  if (tfhd === undefined || track === undefined) return null
  const flags = view.getUint32(tfhd.start) & 0xffffff
  const skipped = 8 + ((flags & 1) !== 0 ? 8 : 0) + ((flags & 2) !== 0 ? 4 : 0)
  const units = (flags & 8) !== 0 ? view.getUint32(tfhd.start + skipped) : track.defaultUnits
  const [tfdt] = boxesAt(view, traf, 'tfdt')
  const time = tfdt && (view.getUint8(tfdt.start) === 1 ? uint64(view, tfdt.start + 4) : view.getUint32(tfdt.start + 4))
  const begin = time === undefined ? followsAt(track) : time / track.scale
  const runs = boxesAt(view, traf, 'trun').reduce((sum, run) => sum + runUnits(view, run, units), 0)
  return { track, begin, end: begin + runs / track.scale }
}

/** Seconds of all fragments after the movie header. */
async function readFragments(source: ByteSource, from: number, tracks: readonly Track[]): Promise<number> {
  const ahead = readingAhead(source, 65_536)
  const ends = new Map<Track, number>()
  let first = Number.POSITIVE_INFINITY
  for await (const { type, start, end } of topBoxes(ahead, from)) {
    if (type !== 'moof') continue
    const view = await ahead.read(start, Math.min(end - start, maxMovieHeaderBytes))
    for (const traf of boxesAt(view, { type, start: 0, end: view.byteLength }, 'traf')) {
      const span = fragmentSpan(view, traf, tracks, (track) => ends.get(track) ?? 0)
      if (span === null) continue
      first = Math.min(first, span.begin)
      ends.set(span.track, Math.max(ends.get(span.track) ?? 0, span.end))
    }
  }
  return ends.size === 0 ? 0 : Math.max(...ends.values()) - first
}

const maxMovieHeaderBytes = 64 * 1_024 * 1_024

/**
 * Length and sound of MP4, M4A, M4V, MOV, 3GP and 3GA: the longest track, as its edit list has it played. Fragmented
 * recordings (browsers, phones) do not say it: there it is the end of the last fragment minus the beginning of the first.
 */
export async function readIsobmff(source: ByteSource): Promise<MediaFacts> {
  for await (const moov of topBoxes(source)) {
    if (moov.type !== 'moov') continue
    if (moov.end - moov.start > maxMovieHeaderBytes) return unknownFacts
    const view = await source.read(moov.start, moov.end - moov.start)
    const movie: Box = { type: 'moov', start: 0, end: view.byteLength }
    const [mvhd] = boxesAt(view, movie, 'mvhd')
    if (mvhd === undefined) return unknownFacts
    const { scale } = readTimes(view, mvhd)
    const tracks = boxesAt(view, movie, 'trak').flatMap((box) => readTrack(view, box, movie, scale) ?? [])
    const isFragmented = boxesAt(view, movie, 'mvex').length > 0
    const seconds = Math.max(0, ...tracks.map((track) => track.seconds))
    const fragments = isFragmented ? await readFragments(source, moov.end, tracks) : 0
    const sound = tracks.flatMap((track) => track.sound ?? [])
    return { durationMs: toMilliseconds(seconds + fragments), hasSound: sound.length > 0, ...severalTracks(sound) }
  }
  return unknownFacts
}

import { type ByteSource, type MediaFacts, textAt, toMilliseconds, uint64, unknownFacts } from './bytes.ts'

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

async function findTopBox(source: ByteSource, type: string): Promise<Box | null> {
  let at = 0
  for (let count = 0; count < 1_000 && at < source.size; count += 1) {
    const box = readBox(await source.read(at, 16), 0, at, source.size)
    if (box === null || box.type === type) return box
    at = box.end
  }
  return null
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

/** Length in seconds from `mvhd` or `mdhd`: the same layout, 32- or 64-bit by version. */
function headerSeconds(view: DataView, box: Box): number {
  const long = view.getUint8(box.start) === 1
  const timescale = view.getUint32(box.start + (long ? 20 : 12))
  const duration = long ? uint64(view, box.start + 24) : view.getUint32(box.start + 16)
  return duration === 0xffffffff ? 0 : duration / timescale
}

/** Fragmented recordings (browsers, phones) carry no length in `mvhd`; the movie extends header may have it. */
function fragmentSeconds(view: DataView, moov: Box, timescaleBox: Box): number {
  const extended = children(view, moov.start, moov.end, 'mvex')
    .flatMap((box) => children(view, box.start, box.end, 'mehd'))
    .at(0)
  if (extended === undefined) return 0
  const long = view.getUint8(extended.start) === 1
  const duration = long ? uint64(view, extended.start + 4) : view.getUint32(extended.start + 4)
  const timescale = view.getUint32(timescaleBox.start + (view.getUint8(timescaleBox.start) === 1 ? 20 : 12))
  return duration / timescale
}

const maxMovieHeaderBytes = 64 * 1_024 * 1_024

/** Length and sound of MP4, M4A, M4V, MOV, 3GP and 3GA: `mvhd`, and a track whose handler is `soun`. */
export async function readIsobmff(source: ByteSource): Promise<MediaFacts> {
  const moov = await findTopBox(source, 'moov')
  if (moov === null || moov.type !== 'moov' || moov.end - moov.start > maxMovieHeaderBytes) return unknownFacts
  const view = await source.read(moov.start, moov.end - moov.start)
  const local: Box = { type: 'moov', start: 0, end: view.byteLength }
  const mvhd = children(view, local.start, local.end, 'mvhd').at(0)
  if (mvhd === undefined) return unknownFacts
  const handlers = children(view, local.start, local.end, 'trak')
    .flatMap((track) => children(view, track.start, track.end, 'mdia'))
    .flatMap((media) => children(view, media.start, media.end, 'hdlr'))
    .map((handler) => textAt(view, handler.start + 8, 4))
  const seconds = headerSeconds(view, mvhd) || fragmentSeconds(view, local, mvhd)
  return { durationMs: toMilliseconds(seconds), hasSound: handlers.includes('soun') }
}

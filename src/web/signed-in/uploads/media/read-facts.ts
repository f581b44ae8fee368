import type { MediaExtension } from '../../../../contract/interface/media-formats.ts'
import { readAdts, readAmr } from './aac-amr.ts'
import { readAsf, readFlv } from './asf-flv.ts'
import { type ByteSource, type MediaFacts, unknownFacts } from './bytes.ts'
import { readFlac } from './flac.ts'
import { readIsobmff } from './isobmff.ts'
import { readMatroska } from './matroska.ts'
import { readMp3 } from './mp3.ts'
import { readProgram, readTransport } from './mpeg-streams.ts'
import { readMxf } from './mxf.ts'
import { readOgg } from './ogg.ts'
import { readAiff, readAvi, readWav } from './riff.ts'
import { headBytes, transportPackets } from './sniff.ts'

type Reader = (source: ByteSource) => Promise<MediaFacts>

/** Camcorders and editors also name transport streams `.mpg`. */
async function readMpeg(source: ByteSource): Promise<MediaFacts> {
  const isTransport = transportPackets(await source.read(0, headBytes)) !== null
  return isTransport ? readTransport(source) : readProgram(source)
}

async function readAmrOr3ga(source: ByteSource): Promise<MediaFacts> {
  const isAmr = (await source.read(0, 1)).getUint8(0) === 0x23
  return isAmr ? readAmr(source) : readIsobmff(source)
}

const readers: Record<MediaExtension, Reader> = {
  mp3: readMp3,
  wav: readWav,
  wma: readAsf,
  wmv: readAsf,
  avi: readAvi,
  flv: readFlv,
  mpg: readMpeg,
  mpeg: readMpeg,
  mp4: readIsobmff,
  m4a: readIsobmff,
  m4v: readIsobmff,
  mov: readIsobmff,
  ogg: readOgg,
  webm: readMatroska,
  aif: readAiff,
  aiff: readAiff,
  amr: readAmr,
  '3gp': readIsobmff,
  '3ga': readAmrOr3ga,
  mts: readTransport,
  ogv: readOgg,
  aac: readAdts,
  mkv: readMatroska,
  mxf: readMxf,
  opus: readOgg,
  flac: readFlac,
}

/**
 * Reads length and sound of a recording from its container's header and tail, without decoding, even for formats that
 * no browser plays. Never throws on damaged content: unreadable facts are null. Why no library does this: decision 40.
 */
export async function readFacts(source: ByteSource, format: MediaExtension): Promise<MediaFacts> {
  try {
    return await readers[format](source)
  } catch (error) {
    if (error instanceof RangeError) return unknownFacts
    throw error
  }
}

import { leastReadableShare, toleratedLossMs } from '../../../contract/interface/truncated.ts'
import { ServiceError } from '../service-error.ts'
import type { Container } from './containers.ts'

/** Containers whose length is written down when the recording is complete. */
const stating: readonly Container[] = ['mp4', 'matroska', 'flac', 'aiff']

/** Writers of RIFF that do not know the size yet put in the largest one, of 31 or 32 bits or somewhat less. */
const unknownSize = 0x7f000000

type Stated = {
  container: Container
  /** in seconds, NaN if unknown: of the file, and of its first audio track */
  seconds: number
  trackSeconds: number
  startSeconds: number
  /** of the file as it is */
  bytes: number
  /** the beginning of the file, or of an MP3 after its ID3 tag, which is `skippedBytes` long */
  head: Uint8Array
  skippedBytes: number
  /** bits per second of uncompressed samples, null if the audio is compressed */
  pcmBitRate: number | null
}

/** What a header says of the whole file. Both must be more than is there: either one alone is written wrong by some. */
type Whole = { bytes: number; seconds: number }
type HeaderReader = (head: Buffer, stated: Stated) => Whole | null

/** The length that ffprobe takes from the header, with the size that stands beside it. */
const withSize = (bytes: number, { seconds }: Stated): Whole => ({ bytes, seconds })

/** Xing and Info frames (LAME) and VBRI (Fraunhofer) count the frames and bytes that follow. */
const readMp3: HeaderReader = (head, stated) => {
  const text = head.toString('latin1', 0, 4_096)
  for (const { 0: tag, index } of text.matchAll(/Xing|Info|VBRI/g)) {
    const isVbri = tag === 'VBRI'
    const frame = (isVbri ? [36] : [36, 21, 13]).find((bytes) => /^\xff[\xe0-\xff]/.test(text.slice(index - bytes)))
    if (frame === undefined) continue
    const hasBoth = isVbri || (head.readUInt32BE(index + 4) & 3) === 3
    const count = head.readUInt32BE(index + (isVbri ? 10 : 12))
    return hasBoth ? withSize(stated.skippedBytes + index - frame + count, stated) : null
  }
  return null
}

/** File Properties (ASF specification, 3.2), unless its broadcast flag says that they are not filled in. */
const readAsf: HeaderReader = (head) => {
  const at = head.indexOf('a1dcab8c47a9cf118ee400c00c205365', 0, 'hex')
  if (at < 0 || (head.readUInt32LE(at + 88) & 1) === 1) return null
  const seconds = Number(head.readBigUInt64LE(at + 64)) / 1e7 - Number(head.readBigUInt64LE(at + 80)) / 1e3
  return { bytes: Number(head.readBigUInt64LE(at + 40)), seconds }
}

/** `onMetaData`: a number follows the name and its marker. */
const readFlv: HeaderReader = (head, stated) => {
  const at = head.toString('latin1').search(/filesize\0/i)
  return at < 0 ? null : withSize(head.readDoubleBE(at + 9), stated)
}

/** The size of the RIFF, and the pictures of its main header. */
const readAvi: HeaderReader = (head) => {
  const bytes = head.readUInt32LE(4) + 8
  const at = head.indexOf('avih')
  if (at < 0 || bytes >= unknownSize) return null
  return { bytes, seconds: (head.readUInt32LE(at + 8) * head.readUInt32LE(at + 24)) / 1e6 }
}

/** A header that was completed says where the footer begins (SMPTE 377). */
const readMxf: HeaderReader = (head, stated) => {
  const isPartition = head.toString('hex', 0, 13) === '060e2b34020501010d01020101'
  if (!isPartition) return null
  const length = head[16] ?? 0
  const pack = 17 + (length < 0x80 ? 0 : length & 0x7f)
  return withSize(Number(head.readBigUInt64BE(pack + 24)) + 1, stated)
}

const headerReaders: Partial<Record<Container, HeaderReader>> = {
  mp3: readMp3,
  asf: readAsf,
  flv: readFlv,
  avi: readAvi,
  mxf: readMxf,
}

/** The length of a WAVE file by the size of its samples; NaN if its writer did not know it. */
function wavMs({ head, bytes: fileBytes, pcmBitRate }: Stated, measuredMs: number): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const bytes = view.getUint32(at + 4, true)
    const isData = view.getUint32(at) === 0x64617461
    if (isData && bytes >= unknownSize) return Number.NaN
    if (isData) return pcmBitRate === null ? (measuredMs * bytes) / (fileBytes - at - 8) : (bytes * 8_000) / pcmBitRate
    at += 8 + bytes + (bytes % 2)
  }
  return Number.NaN
}

/** The length in milliseconds that a recording had when it was written; NaN if its file does not say. */
function statedMs(stated: Stated, measuredMs: number): number {
  const { container, seconds, trackSeconds, startSeconds, bytes, head, pcmBitRate } = stated
  if (container === 'wav') return wavMs(stated, measuredMs)
  const readHeader = headerReaders[container]
  if (readHeader !== undefined) {
    const whole = readWithin(readHeader, Buffer.from(head), stated)
    return whole !== null && whole.bytes > bytes ? whole.seconds * 1_000 : Number.NaN
  }
  if (!stating.includes(container) || (pcmBitRate !== null && seconds * pcmBitRate >= unknownSize * 8))
    return Number.NaN
  // Texts and chapters may be longer than the sound.
  const shorter = Number.isNaN(trackSeconds) ? seconds : Math.min(seconds, trackSeconds)
  return Math.round((shorter - Math.max(0, startSeconds)) * 1_000)
}

/** Null also for a header that is longer than what was read of it. */
function readWithin(read: HeaderReader, head: Buffer, stated: Stated): Whole | null {
  try {
    return read(head, stated)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * The length that is charged: that of the recording, or if less than a tenth of it is cut off, the one that its file
 * states; the transcript then names what is missing (decision 28).
 * @param measuredMs how much of it is there
 * @throws ServiceError 400 if more is missing
 */
export function chargedMs(measuredMs: number, stated: Stated): number {
  const wholeMs = statedMs(stated, measuredMs)
  // False for NaN, too.
  if (!(wholeMs - measuredMs > toleratedLossMs)) return measuredMs
  if (measuredMs >= wholeMs * leastReadableShare) return Math.round(wholeMs)
  const [here, whole] = [measuredMs, wholeMs].map((ms) => Math.round(ms / 1_000))
  throw new ServiceError(
    400,
    `The recording is incomplete: the file ends after ${here} s of ${whole} s. Nothing was charged. ` +
      'Send the whole file; to order only this part, save it as a new recording.',
  )
}

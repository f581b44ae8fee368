import { extensionOfName, type MediaExtension } from '../../../../contract/interface/media-formats.ts'
import { hasBytes, indexOfBytes, textAt } from './bytes.ts'

/** Bytes at the start of a file that `sniff` needs: enough for an MXF run-in or a short ID3 tag. */
export const headBytes = 65_536

/** Formats that share a container and differ by file name; the first is the default if the name does not decide. */
type Family = readonly [MediaExtension, ...MediaExtension[]]

const isobmff: Family = ['mp4', 'm4a', 'm4v', 'mov', '3gp', '3ga']
/** ISO media brands of still images and raw photos, which share the container. */
const pictureBrands = ['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx ', 'jp2 ', 'jpx ']

function isobmffFamily(head: DataView): Family | null {
  const box = textAt(head, 4, 4)
  if (['moov', 'mdat', 'wide', 'pnot'].includes(box)) return ['mov', ...isobmff]
  if (box !== 'ftyp') return null
  const brand = textAt(head, 8, 4)
  if (pictureBrands.includes(brand)) return null
  if (brand === 'qt  ') return ['mov', ...isobmff]
  if (brand.startsWith('M4A') || brand.startsWith('M4B')) return ['m4a', ...isobmff]
  if (brand.startsWith('M4V')) return ['m4v', ...isobmff]
  return brand.startsWith('3g') ? ['3gp', ...isobmff] : isobmff
}

/** Ogg carries many codecs: the first packet (RFC 3533, after 28 bytes of a one-segment page) identifies it. */
function oggFamily(head: DataView): Family {
  const packet = textAt(head, 28, 8)
  if (packet === 'OpusHead') return ['opus', 'ogg', 'ogv']
  return packet.startsWith('\u0080theora') || packet.startsWith('fishead') ? ['ogv', 'ogg'] : ['ogg', 'ogv', 'opus']
}

/** True at an MPEG audio frame header (ISO 11172-3): sync, a valid version, layer, bit rate and sampling rate. */
function isMpegAudioFrame(head: DataView, at: number): boolean {
  if (at + 4 > head.byteLength || head.getUint8(at) !== 0xff) return false
  const [second, third] = [head.getUint8(at + 1), head.getUint8(at + 2)]
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3]
  return second >= 0xe0 && version !== 1 && layer !== 0 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3
}

function elementaryFamily(head: DataView, at: number): Family | null {
  if (hasBytes(head, at, '664c6143')) return ['flac']
  if (hasBytes(head, at, 'fff1') || hasBytes(head, at, 'fff9') || textAt(head, at, 4) === 'ADIF') return ['aac']
  return isMpegAudioFrame(head, at) ? ['mp3'] : null
}

/** Length of an ID3v2 tag including its header (sizes use seven bits per byte), or 0. */
export function id3Bytes(head: DataView): number {
  if (textAt(head, 0, 3) !== 'ID3' || head.byteLength < 10) return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (head.getUint8(at) & 0x7f), 0)
  return 10 + size
}

/** Packet length of an MPEG transport stream and the offset of its first sync byte; null if it is not one. */
export function transportPackets(head: DataView): { packetBytes: 188 | 192 | 204; offset: number } | null {
  const shapes = [
    { packetBytes: 188, offset: 0 },
    { packetBytes: 192, offset: 4 },
    { packetBytes: 204, offset: 0 },
  ] as const
  const found = shapes.find(({ packetBytes, offset }) =>
    [0, 1, 2].every((packet) => hasBytes(head, offset + packet * packetBytes, '47')),
  )
  return found ?? null
}

type Rule = (head: DataView) => Family | null

/** From the most to the least specific signature; the first match decides. */
const rules: readonly Rule[] = [
  (head) => (['RIFF', 'RF64'].includes(textAt(head, 0, 4)) && textAt(head, 8, 4) === 'WAVE' ? ['wav'] : null),
  (head) => (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 4) === 'AVI ' ? ['avi'] : null),
  (head) => (textAt(head, 0, 4) === 'FORM' && /^AIF[FC]$/.test(textAt(head, 8, 4)) ? ['aiff', 'aif'] : null),
  (head) => (hasBytes(head, 0, '3026b2758e66cf11a6d900aa0062ce6c') ? ['wmv', 'wma'] : null),
  (head) => (textAt(head, 0, 4) === 'FLV\u0001' ? ['flv'] : null),
  (head) => (textAt(head, 0, 4) === 'OggS' ? oggFamily(head) : null),
  (head) => {
    if (!hasBytes(head, 0, '1a45dfa3')) return null
    return textAt(head, 0, 96).includes('webm') ? ['webm', 'mkv'] : ['mkv']
  },
  (head) => (textAt(head, 0, 5) === '#!AMR' ? ['amr', '3ga'] : null),
  isobmffFamily,
  (head) => (hasBytes(head, 0, '000001ba') || hasBytes(head, 0, '000001b3') ? ['mpg', 'mpeg'] : null),
  (head) => (indexOfBytes(head, '060e2b34020501010d0102010102') >= 0 ? ['mxf'] : null),
  (head) => (transportPackets(head) === null ? null : ['mts', 'mpg', 'mpeg']),
  (head) => {
    const start = id3Bytes(head)
    if (start === 0) return elementaryFamily(head, 0)
    // A tag with a picture exceeds the head: nearly always MP3, and the service reads all of it.
    return elementaryFamily(head, start) ?? ['mp3', 'aac', 'flac']
  },
]

/** Some recorders write zeros or a broken frame before the first valid one; accepted only if the name says mp3. */
function looseMp3(head: DataView, named: MediaExtension | null): MediaExtension | null {
  if (named !== 'mp3') return null
  for (let at = 0; at < Math.min(head.byteLength, 8_192); at += 1) {
    if (isMpegAudioFrame(head, at)) return 'mp3'
  }
  return null
}

/**
 * Detects the format of a recording, one of the 26 of spec 4.2, by its first bytes; the name only decides among formats
 * that share a container (`aif` and `aiff`, `mp4` and `m4v`). Null: none of them, whatever the name says.
 * @param head the first `headBytes` of the file, or all of it
 */
export function sniff(head: DataView, fileName: string): MediaExtension | null {
  const named = extensionOfName(fileName)
  for (const rule of rules) {
    const family = rule(head)
    if (family !== null) return named !== null && family.includes(named) ? named : family[0]
  }
  return looseMp3(head, named)
}

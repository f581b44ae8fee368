/**
 * The waveform of a recording as the service stores it and the player draws it: 12 bytes of header ("PEAK", version,
 * reserved, peaks a second as u16, number of peaks as u32, little-endian), then for each peak the lowest and the
 * highest sample in it as two signed bytes (-127 to 127).
 */
export type Peaks = {
  perSecond: number
  /** lowest, highest, lowest, highest … of each peak */
  values: Int8Array
}

const headerBytes = 12
const magic = 0x4b414550 // 'PEAK', little-endian
const version = 1

/** Peaks a second for a recording of this length: fine enough to draw, under a megabyte for a whole day. */
export function peaksPerSecond(durationMs: number): number {
  const hours = durationMs / 3_600_000
  return hours <= 2 ? 20 : hours <= 6 ? 10 : 5
}

/** The bytes that are stored. */
export function encodePeaks({ perSecond, values }: Peaks): Uint8Array {
  const bytes = new Uint8Array(headerBytes + values.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint8(4, version)
  view.setUint16(6, perSecond, true)
  view.setUint32(8, values.length / 2, true)
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.length), headerBytes)
  return bytes
}

/** @returns null where the bytes are no peaks of a version that is known here */
export function decodePeaks(bytes: Uint8Array): Peaks | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerBytes || view.getUint32(0, true) !== magic || view.getUint8(4) !== version) return null
  const perSecond = view.getUint16(6, true)
  const count = view.getUint32(8, true)
  if (perSecond === 0 || bytes.length !== headerBytes + count * 2) return null
  return { perSecond, values: new Int8Array(bytes.buffer, bytes.byteOffset + headerBytes, count * 2) }
}

/**
 * Binary waveform of a recording, as stored by the service and drawn by the player: 12 bytes of header ("PEAK",
 * version, three reserved, number of peaks as u32, little-endian), then for each peak the lowest and the highest sample
 * in it as two signed bytes (-127 to 127).
 */
const headerBytes = 12
const magic = 0x4b414550 // 'PEAK', little-endian
const version = 1

/** Peaks per second for a recording of this length: fine enough to draw, under a megabyte for a whole day. */
export function peaksPerSecond(durationMs: number): number {
  const hours = durationMs / 3_600_000
  return hours <= 2 ? 20 : hours <= 6 ? 10 : 5
}

/** @param peaks lowest, highest, lowest, highest … */
export function encodePeaks(peaks: Int8Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + peaks.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint8(4, version)
  view.setUint32(8, peaks.length / 2, true)
  bytes.set(new Uint8Array(peaks.buffer, peaks.byteOffset, peaks.length), headerBytes)
  return bytes
}

/** @returns lowest, highest, lowest, highest …; null if the bytes are not peaks of a supported version */
export function decodePeaks(bytes: Uint8Array): Int8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerBytes || view.getUint32(0, true) !== magic || view.getUint8(4) !== version) return null
  const count = view.getUint32(8, true)
  if (bytes.length !== headerBytes + count * 2) return null
  return new Int8Array(bytes.buffer, bytes.byteOffset + headerBytes, count * 2)
}

/** Downsamples the waveform to at most `most` peaks, each merging equally many neighbors. */
export function coarserPeaks(peaks: Int8Array, most: number): Int8Array {
  const merged = Math.ceil(peaks.length / 2 / most)
  if (merged <= 1) return peaks
  const coarser = new Int8Array(2 * Math.ceil(peaks.length / 2 / merged))
  for (let at = 0; at < peaks.length; at += 2) {
    const to = 2 * Math.floor(at / 2 / merged)
    coarser[to] = Math.min(coarser[to] ?? 0, peaks[at] ?? 0)
    coarser[to + 1] = Math.max(coarser[to + 1] ?? 0, peaks[at + 1] ?? 0)
  }
  return coarser
}

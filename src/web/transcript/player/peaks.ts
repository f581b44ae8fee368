/** Loudness over the recording, 0 to 1, from the service's peaks; null where there are none. */
export function decodePeaks(bytes: ArrayBuffer | null): Float32Array | null {
  if (bytes === null || bytes.byteLength === 0) return null
  return Float32Array.from(new Uint8Array(bytes), (value) => value / 255)
}

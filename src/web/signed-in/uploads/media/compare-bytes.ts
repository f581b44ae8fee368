const windowBytes = 4 * 1_048_576

/**
 * Compares two recordings of one size byte by byte, up to the first difference.
 * @param onProgress the share that is compared, 0 to 1
 * @throws DOMException if a file was changed, moved or deleted in the meantime
 */
export async function haveSameBytes(a: Blob, b: Blob, onProgress: (share: number) => void): Promise<boolean> {
  if (a.size !== b.size) return false
  for (let at = 0; at < a.size; at += windowBytes) {
    const [left, right] = await Promise.all([a, b].map((blob) => blob.slice(at, at + windowBytes).arrayBuffer()))
    if (left === undefined || right === undefined || !areEqual(left, right)) return false
    onProgress(Math.min(1, (at + windowBytes) / a.size))
  }
  return true
}

function areEqual(left: ArrayBuffer, right: ArrayBuffer): boolean {
  const words = Math.floor(left.byteLength / 4)
  const [a, b] = [new Uint32Array(left, 0, words), new Uint32Array(right, 0, words)]
  for (let at = 0; at < words; at += 1) if (a[at] !== b[at]) return false
  const [restA, restB] = [new Uint8Array(left, 4 * words), new Uint8Array(right, 4 * words)]
  return left.byteLength === right.byteLength && restA.every((byte, at) => byte === restB[at])
}

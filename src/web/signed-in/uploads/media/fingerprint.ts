import { type ByteSource, hexOf } from './bytes.ts'

const endBytes = 65_536

/**
 * SHA-256 over the first and last 64 KiB and the size, hex: independent of the file's name. Not proof: files that
 * differ only in the middle share it, so a match is a warning, never a refusal.
 */
export async function fingerprint(source: ByteSource): Promise<string> {
  const head = await source.read(0, endBytes)
  const tail = await source.read(Math.max(0, source.size - endBytes), endBytes)
  const size = new TextEncoder().encode(`${source.size}:`)
  const all = new Uint8Array(size.byteLength + head.byteLength + tail.byteLength)
  all.set(size)
  all.set(new Uint8Array(head.buffer, head.byteOffset, head.byteLength), size.byteLength)
  all.set(new Uint8Array(tail.buffer, tail.byteOffset, tail.byteLength), size.byteLength + head.byteLength)
  return hexOf(new DataView(await crypto.subtle.digest('SHA-256', all)))
}

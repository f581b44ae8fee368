import { mediaFormats } from '../../../../contract/interface/media-formats.ts'
import type { Inspection } from '../tray/upload.ts'
import { type ByteSource, toHex, unknownFacts, withCachedHead } from './bytes.ts'
import { readFacts } from './read-facts.ts'
import { headBytes, sniff } from './sniff.ts'

/** How much of the beginning is read at once: small recordings need no second read. */
const cachedHeadBytes = 262_144

export const unreadable: Inspection = {
  format: null,
  kind: null,
  durationMs: null,
  hasSound: null,
  fingerprint: null,
  unreadable: true,
}

/** Reads everything the tray shows about a recording from its bytes, without decoding. Never throws. */
export async function inspect(recording: ByteSource, fileName: string): Promise<Inspection> {
  const source = withCachedHead(recording, cachedHeadBytes)
  try {
    const format = sniff(await source.read(0, headBytes), fileName)
    const facts = format === null ? unknownFacts : await readFacts(source, format)
    const kind = format === null ? null : mediaFormats[format].kind
    return { format, kind, ...facts, fingerprint: await fingerprint(source), unreadable: false }
  } catch {
    // The browser refuses to read a folder, or a file that was changed, moved or deleted in the meantime.
    return unreadable
  }
}

const endBytes = 65_536

/**
 * SHA-256 over the first and last 64 KiB and the size, hex: independent of the file's name. Not proof: files that
 * differ only in the middle share it, as do one WAV a speaker. A match is a question, answered by all bytes (twins.ts).
 */
async function fingerprint(source: ByteSource): Promise<string> {
  const head = await source.read(0, endBytes)
  const tail = await source.read(Math.max(0, source.size - endBytes), endBytes)
  const size = new TextEncoder().encode(`${source.size}:`)
  const all = new Uint8Array(size.byteLength + head.byteLength + tail.byteLength)
  all.set(size)
  all.set(new Uint8Array(head.buffer, head.byteOffset, head.byteLength), size.byteLength)
  all.set(new Uint8Array(tail.buffer, tail.byteOffset, tail.byteLength), size.byteLength + head.byteLength)
  return toHex(new DataView(await crypto.subtle.digest('SHA-256', all)))
}

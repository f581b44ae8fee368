import { mediaFormats } from '../../../../contract/interface/media-formats.ts'
import type { Inspection } from '../tray/upload.ts'
import { type ByteSource, unknownFacts, withCachedHead } from './bytes.ts'
import { fingerprint } from './fingerprint.ts'
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

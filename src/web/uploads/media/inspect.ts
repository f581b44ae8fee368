import { mediaFormats } from '../../../contract/media-formats.ts'
import type { Inspection } from '../tray/upload.ts'
import { type ByteSource, unknownFacts } from './bytes.ts'
import { fingerprint } from './fingerprint.ts'
import { readFacts } from './read-facts.ts'
import { headBytes, sniff } from './sniff.ts'

export const unreadable: Inspection = {
  format: null,
  kind: null,
  durationMs: null,
  hasSound: null,
  fingerprint: null,
  unreadable: true,
}

/** Everything the tray shows of a recording that its bytes can tell, without decoding. Never throws. */
export async function inspect(source: ByteSource, fileName: string): Promise<Inspection> {
  try {
    const format = sniff(await source.read(0, headBytes), fileName)
    const facts = format === null ? unknownFacts : await readFacts(source, format)
    const kind = format === null ? null : mediaFormats[format].kind
    return { format, kind, ...facts, fingerprint: await fingerprint(source), unreadable: false }
  } catch {
    // The browser refuses to read a file that changed, went away or is a folder.
    return unreadable
  }
}

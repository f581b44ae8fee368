import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** A part of a package: its name, and its text in pieces. `stored` parts are not compressed. */
export type PackagePart = { name: string; stored?: boolean; content: Iterable<string> }

/** Text per call of the compressor. */
const gatherCharacters = 64_000

/**
 * Streams the parts as a ZIP, in order, so that no part is ever entirely in memory.
 * @param modified ISO 8601; the same transcript gives the same bytes
 */
export function* zipped(parts: Iterable<PackagePart>, modified: string): Generator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const time = new Date(modified)
  for (const { name, stored, content } of parts) {
    const entry = stored === true ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
    if (time.getFullYear() >= 1980 && time.getFullYear() < 2100) entry.mtime = time
    zip.add(entry)
    let gathered = ''
    for (const piece of content) {
      gathered += piece
      if (gathered.length < gatherCharacters) continue
      entry.push(strToU8(gathered))
      gathered = ''
      yield* ready.splice(0)
    }
    entry.push(strToU8(gathered), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}

import { hashedParts } from '../../../../contract/interface/content-hash.ts'
import { toHex } from './bytes.ts'

const known = new WeakMap<Blob, Promise<string>>()

/** The content hash of a recording, as defined by the service; computed once. Reads at most 64 MiB. */
export function contentHash(file: Blob): Promise<string> {
  const hash = known.get(file) ?? readHash(file)
  known.set(file, hash)
  return hash
}

async function readHash(file: Blob): Promise<string> {
  const { firstLine, samples } = hashedParts(file.size)
  const parts = samples.map(({ offset, length }) => file.slice(offset, offset + length))
  const bytes = await new Blob([firstLine, ...parts]).arrayBuffer()
  return toHex(new DataView(await crypto.subtle.digest('SHA-256', bytes)))
}

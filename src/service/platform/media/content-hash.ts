import { createHash } from 'node:crypto'
import { hashedParts } from '../../../contract/interface/content-hash.ts'

/**
 * The content hash of a recording, hex, that finds candidates for duplicates. Equal content has equal hashes;
 * candidates are then compared byte by byte (`StagedBlob.sameAs`).
 */
export async function contentHash(
  readAt: (offset: number, length: number) => Promise<Uint8Array>,
  bytes: number,
): Promise<string> {
  const { firstLine, samples } = hashedParts(bytes)
  const hash = createHash('sha256').update(firstLine)
  for (const { offset, length } of samples) hash.update(await readAt(offset, length))
  return hash.digest('hex')
}

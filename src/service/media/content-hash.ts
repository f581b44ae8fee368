import { createHash } from 'node:crypto'

/** of one sample; no more is read at a time */
export const sampleBytes = 1_048_576
/** smaller files are hashed whole, larger ones by samples */
const wholeUpToBytes = 64 * sampleBytes

/** Offsets to read: all of a small file; 64 samples of a large one, including the first and the last MiB. */
function sampleOffsets(bytes: number): number[] {
  const count = Math.min(64, Math.ceil(bytes / sampleBytes))
  if (bytes <= wholeUpToBytes) return Array.from({ length: count }, (_, index) => index * sampleBytes)
  return Array.from({ length: count }, (_, index) => Math.floor((index * (bytes - sampleBytes)) / (count - 1)))
}

/**
 * SHA-256, hex, that finds candidates for duplicates: of the length and the whole content up to 64 MiB, of the length
 * and 64 evenly spread MiB above. Equal content has equal hashes; whether equal hashes mean equal content is then read
 * byte by byte (`StagedBlob.sameAs`). Hashing all 10 GB would take longer than receiving them.
 */
export async function contentHash(
  readAt: (offset: number, length: number) => Promise<Uint8Array>,
  bytes: number,
): Promise<string> {
  const hash = createHash('sha256').update(`${bytes}\n`)
  for (const offset of sampleOffsets(bytes)) hash.update(await readAt(offset, Math.min(sampleBytes, bytes - offset)))
  return hash.digest('hex')
}

import * as z from 'zod/mini'

/** size of one sample, the most that is read at a time */
export const sampleBytes = 1_048_576
/** smaller files are hashed whole, larger ones sampled */
const wholeUpToBytes = 64 * sampleBytes

/**
 * Input of a recording's content hash, identical in the service and the dashboard: SHA-256, hex, of a first line with
 * the length and of these samples. They are the whole content up to 64 MiB, above that 64 evenly spread MiB including
 * the first and the last: hashing all 10 GB would take longer than receiving them.
 */
export function hashedParts(bytes: number): { firstLine: string; samples: { offset: number; length: number }[] } {
  const count = Math.min(64, Math.ceil(bytes / sampleBytes))
  const offsetOf = (index: number) =>
    bytes <= wholeUpToBytes ? index * sampleBytes : Math.floor((index * (bytes - sampleBytes)) / (count - 1))
  const samples = Array.from({ length: count }, (_, index) => {
    const offset = offsetOf(index)
    return { offset, length: Math.min(sampleBytes, bytes - offset) }
  })
  return { firstLine: `${bytes}\n`, samples }
}

export const maxKnownHashes = 1_000

/** Body of `POST files/known`: content hashes of recordings about to be ordered. */
export const askedHashes = z.strictObject({
  content_hashes: z
    .array(z.string().check(z.regex(/^[0-9a-f]{64}$/)))
    .check(z.minLength(1), z.maxLength(maxKnownHashes)),
})

/** Its response: for each recording that the account already has, the newest file with it. */
export const knownRecordings = z.object({
  /** those that the account has */
  known: z.array(z.object({ content_hash: z.string(), id: z.string() })),
})

import { buffer } from 'node:stream/consumers'
import {
  type BrotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  type Gzip,
  type ZstdCompress,
} from 'node:zlib'

/** What texts can be compressed with (RFC 9110, 8.4.1), the best first: the least time for about the same size. */
export const encodings = ['zstd', 'br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** `once` for what is made for one answer; `kept` for what is made for many, and may take longer. */
type Effort = 'once' | 'kept'

const compressors: Record<Encoding, (effort: Effort) => ZstdCompress | BrotliCompress | Gzip> = {
  zstd: (effort) => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: effort === 'kept' ? 6 : 3 } }),
  br: (effort) => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: effort === 'kept' ? 5 : 4 } }),
  gzip: (effort) => createGzip({ level: effort === 'kept' ? 6 : 5 }),
}

/** A stream that compresses what is written to it, in zlib's threads. */
export function compressor(encoding: Encoding, effort: Effort) {
  return compressors[encoding](effort)
}

/**
 * The weights of an `Accept-Encoding` header by its names in lower case; a weight that is no number counts as 0, as
 * nobody can say what was meant.
 */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}

/**
 * What to compress an answer with: what the client wants most, among equals the best of those on offer. Null: nothing,
 * also where the header refuses that or cannot be read, since RFC 9110, 12.5.3, prefers that to a 406.
 */
export function encodingFor(header: string | undefined, offered: readonly Encoding[] = encodings): Encoding | null {
  if (header === undefined) return null
  const weights = weightsOf(header)
  let best: Encoding | null = null
  let most = weights.get('identity') ?? 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > most || (weight === most && weight > 0 && best === null)) [best, most] = [encoding, weight]
  }
  return best
}

/** Done one after the other: each takes memory, which many clients at once would multiply. */
let turn: Promise<unknown> = Promise.resolve()

/** Compresses a whole text beside the main thread. */
export function compress(content: string | Uint8Array, encoding: Encoding, effort: Effort): Promise<Buffer> {
  const compressed = turn.then(() => {
    const stream = compressor(encoding, effort)
    stream.end(content)
    return buffer(stream)
  })
  turn = compressed.catch(() => undefined)
  return compressed
}

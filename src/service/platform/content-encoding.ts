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

/** Content encodings of texts (RFC 9110, 8.4.1), best first: the least time for about the same size. */
export const encodings = ['zstd', 'br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** `once` for a single response; `kept` for a cached one, which may take longer. */
type Effort = 'once' | 'kept'

const compressors: Record<Encoding, (effort: Effort) => ZstdCompress | BrotliCompress | Gzip> = {
  zstd: (effort) => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: effort === 'kept' ? 6 : 3 } }),
  br: (effort) => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: effort === 'kept' ? 5 : 4 } }),
  gzip: (effort) => createGzip({ level: effort === 'kept' ? 6 : 5 }),
}

/** A compression stream that runs in zlib's threads. */
export function compressor(encoding: Encoding, effort: Effort) {
  return compressors[encoding](effort)
}

/**
 * The weights of an `Accept-Encoding` header by lower-case name; a weight that is not a number counts as 0, as its
 * meaning is unknown.
 */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}

/**
 * Negotiates the content encoding: the client's highest weight, among equals the best on offer. Null: none, also if the
 * header refuses that or cannot be parsed, since RFC 9110, 12.5.3, prefers that to a 406.
 */
export function encodingFor(header: string | undefined, offered: readonly Encoding[] = encodings): Encoding | null {
  if (header === undefined) return null
  const weights = parseWeights(header)
  let best: Encoding | null = null
  let most = weights.get('identity') ?? 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > most || (weight === most && weight > 0 && best === null)) [best, most] = [encoding, weight]
  }
  return best
}

/** Sequential: each takes memory, which many concurrent clients would multiply. */
let turn: Promise<unknown> = Promise.resolve()

/** Compresses a whole text off the main thread. */
export function compress(content: string | Uint8Array, encoding: Encoding, effort: Effort): Promise<Buffer> {
  const compressed = turn.then(() => {
    const stream = compressor(encoding, effort)
    stream.end(content)
    return buffer(stream)
  })
  turn = compressed.catch(() => undefined)
  return compressed
}

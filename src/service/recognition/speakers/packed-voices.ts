import type { VoiceKind } from './diarise.ts'
import type { Stretch } from './stretches.ts'

/** The stretches of a piece, and their kind of vectors. */
export type HeardVoices = { kind: VoiceKind; stretches: Stretch[] }

const kinds: readonly VoiceKind[] = ['cepstra', 'embedding']

/**
 * Serializes a piece's voices for its row as 32-bit floats: the kind's number and the vector length, then per stretch
 * its start and end in milliseconds of the piece and its vector.
 */
export function packVoices({ kind, stretches }: HeardVoices, pieceStartMs: number): Uint8Array {
  const width = stretches[0]?.vector.length ?? 0
  const floats = new Float32Array(2 + stretches.length * (2 + width))
  floats.set([kinds.indexOf(kind), width])
  for (const [index, { startMs, endMs, vector }] of stretches.entries()) {
    const at = 2 + index * (2 + width)
    floats.set([startMs - pieceStartMs, endMs - pieceStartMs], at)
    floats.set(vector, at + 2)
  }
  return new Uint8Array(floats.buffer)
}

/** Inverse of `packVoices`. @throws on malformed bytes */
export function unpackVoices(packed: Uint8Array, pieceStartMs: number): HeardVoices {
  // Copied, since bytes from the database may be unaligned.
  const [kindNumber = -1, width = 0, ...rest] = new Float32Array(packed.slice().buffer)
  const kind = kinds[kindNumber]
  if (kind === undefined) throw new Error('These are no packed voices.')
  const stretches: Stretch[] = []
  for (let at = 0; at < rest.length; at += 2 + width) {
    const [start = 0, end = 0, ...vector] = rest.slice(at, at + 2 + width)
    stretches.push({ startMs: pieceStartMs + start, endMs: pieceStartMs + end, vector: Float32Array.from(vector) })
  }
  return { kind, stretches }
}

import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Piece } from '../engine.ts'
import { makeSound, type Stretch } from '../testing/made-speech.ts'
import { cutPieces } from './cut-pieces.ts'

const rate = 16_000

/** Yields the samples in chunks of these lengths, cyclically, like a pipe. */
async function* chunked(samples: Int16Array, lengths: readonly number[]): AsyncGenerator<Int16Array> {
  for (let at = 0, turn = 0; at < samples.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? samples.length
    yield samples.subarray(at, at + length)
    at += length
  }
}

function cut(samples: Int16Array, lengths: readonly number[] = [65_536]): Promise<Piece[]> {
  return Readable.from(cutPieces(chunked(samples, lengths))).toArray()
}
/** Cuts the pieces after one from an earlier run. */
function cutBehind(samples: Int16Array, { position, resumeMs: ms }: Piece): Promise<Piece[]> {
  const rest = samples.subarray((ms * rate) / 1_000)
  return Readable.from(cutPieces(chunked(rest, [50_001]), { from: { position: position + 1, ms } })).toArray()
}

const stretch = fc.record<Stretch>({
  kind: fc.constantFrom('speech', 'silence'),
  ms: fc.integer({ min: 1, max: 120 }).map((n) => n * 100),
})

describe('cutting a recording into pieces', () => {
  it('keeps all speech, in order, in pieces of at most 30 s', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stretch, { minLength: 1, maxLength: 12 }), async (stretches) => {
        const samples = makeSound(stretches)
        const pieces = await cut(samples)
        const heard = pieces.filter(({ pcm }) => pcm.length > 0)
        for (const [index, piece] of pieces.entries()) {
          expect(piece.position).toBe(index)
          expect(piece.endMs - piece.startMs).toBeGreaterThan(0)
          expect(piece.endMs - piece.startMs).toBeLessThanOrEqual(30_000)
          expect(piece.startMs).toBeGreaterThanOrEqual(pieces[index - 1]?.endMs ?? 0)
          if (piece.pcm.length === 0) continue
          expect(piece.pcm).toEqual(samples.slice((piece.startMs * rate) / 1_000, (piece.endMs * rate) / 1_000))
        }
        let at = 0
        for (const { kind, ms } of stretches) {
          if (kind === 'speech' && ms >= 300) expectCovered(heard, at + 50, at + ms - 50)
          at += ms
        }
      }),
      { numRuns: 40 },
    )
  })

  it('gives the same pieces however the sound arrives', async () => {
    const samples = makeSound([
      { kind: 'silence', ms: 2_500 },
      { kind: 'speech', ms: 41_300 },
      { kind: 'silence', ms: 700 },
      { kind: 'speech', ms: 12_000 },
    ])
    const whole = await cut(samples)
    expect(whole.length).toBeGreaterThan(1)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 5 }),
        async (lengths) => {
          expect(await cut(samples, [...lengths, 30_000])).toEqual(whole)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('gives the same pieces from whichever it continues', async () => {
    const made = fc.array(stretch, { minLength: 1, maxLength: 8 }).map(makeSound)
    await fc.assert(
      fc.asyncProperty(made, async (samples) => {
        const pieces = await cut(samples)
        for (const [index, piece] of pieces.entries()) {
          expect(await cutBehind(samples, piece)).toEqual(pieces.slice(index + 1))
        }
      }),
      { numRuns: 25 },
    )
  })

  it('cuts in the pause, not in the speech', async () => {
    const pieces = await cut(
      makeSound([
        { kind: 'speech', ms: 18_000 },
        { kind: 'silence', ms: 800 },
        { kind: 'speech', ms: 18_000 },
      ]),
    )
    expect(pieces).toHaveLength(2)
    expect(pieces[0]?.endMs).toBeGreaterThan(18_000)
    expect(pieces[0]?.endMs).toBeLessThan(18_800)
  })

  it('keeps a single word in half a minute of silence', async () => {
    const stretches: Stretch[] = [
      { kind: 'silence', ms: 14_000 },
      { kind: 'speech', ms: 300 },
      { kind: 'silence', ms: 21_000 },
    ]
    expectCovered(await cut(makeSound(stretches)), 14_050, 14_250)
  })

  it('gives no sound of silence, digital or hissing', async () => {
    for (const silence of [new Int16Array(rate * 200), makeSound([{ kind: 'silence', ms: 200_000 }])]) {
      const pieces = await cut(silence)
      expect(pieces.map(({ pcm }) => pcm.length)).toEqual([0, 0])
      expect(pieces.at(-1)?.endMs).toBeGreaterThan(120_000)
    }
    expect(await cut(new Int16Array(0))).toEqual([])
  })

  it('leaves long silences out', async () => {
    const pieces = await cut(
      makeSound([
        { kind: 'silence', ms: 50_000 },
        { kind: 'speech', ms: 3_000 },
        { kind: 'silence', ms: 100_000 },
      ]),
    )
    expect(pieces.filter(({ pcm }) => pcm.length > 0)).toHaveLength(1)
    expect(pieces[0]?.startMs).toBeGreaterThan(49_000)
    expect(pieces[0]?.endMs).toBeLessThan(54_000)
  })
})

function expectCovered(pieces: readonly Piece[], fromMs: number, toMs: number): void {
  let at = fromMs
  for (const { startMs, endMs } of pieces) if (startMs <= at && endMs > at) at = endMs
  expect(at).toBeGreaterThanOrEqual(toMs)
}

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Piece } from '../engine.ts'
import { makeSound, type Stretch } from '../testing/made-speech.ts'
import { cutPieces } from './cut-pieces.ts'
import { cutSections } from './cut-sections.ts'

const limits = { longestMs: 60_000, earliestMs: 45_000 }

async function* chunked(samples: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += 65_537) yield samples.subarray(at, at + 65_537)
}

async function* inOne(chunks: readonly Int16Array[]): AsyncGenerator<Int16Array> {
  yield* chunks
}

const stretches = fc.array(
  fc.record<Stretch>({
    kind: fc.constantFrom('speech', 'silence'),
    ms: fc.integer({ min: 1, max: 300 }).map((n) => n * 100),
  }),
  { minLength: 1, maxLength: 16 },
)

it('sections are the whole sound in order, each but the last about as long as asked for', async () => {
  await fc.assert(
    fc.asyncProperty(stretches, async (made) => {
      const sound = makeSound(made)
      let at = 0
      let isOver = false
      for await (const { section, startMs, endMs, pcm, isLast } of cutSections(chunked(sound), limits)) {
        expect(isOver).toBe(false)
        expect(startMs * 16).toBe(at)
        if (!isLast) expect(endMs - startMs).toBeGreaterThanOrEqual(limits.earliestMs)
        // At most two pieces of 30 s, or a reported silence of 60 s, beyond the target.
        expect(endMs - startMs, `section ${section}`).toBeLessThanOrEqual(limits.longestMs + 120_000)
        for (const chunk of pcm) {
          expect(chunk).toEqual(sound.subarray(at, at + chunk.length))
          at += chunk.length
        }
        expect(Math.floor(at / 16)).toBe(endMs)
        isOver = isLast
      }
      expect(at).toBe(sound.length)
    }),
    { numRuns: 10 },
  )
})

it('a section ends in a pause, and its pieces are those of the whole: no word is cut or repeated', async () => {
  const speech = (ms: number): Stretch => ({ kind: 'speech', ms })
  const pause = (ms: number): Stretch => ({ kind: 'silence', ms })
  const sound = makeSound(
    [0, 1, 2, 3, 4].flatMap((n) => [speech(17_000 + n * 900), pause(400), speech(9_000), pause(2_500)]),
  )
  const whole = await Array.fromAsync(cutPieces(chunked(sound)))
  const sections = await Array.fromAsync(cutSections(chunked(sound), limits))
  expect(sections.length).toBeGreaterThan(1)
  const pieces: Piece[] = []
  for (const { startMs, pcm } of sections) {
    for await (const piece of cutPieces(inOne(pcm), { from: { position: 0, ms: startMs } })) pieces.push(piece)
  }
  expect(pieces.map(({ startMs }) => startMs)).toEqual(whole.map(({ startMs }) => startMs))
  for (const [index, { endMs, pcm }] of pieces.entries()) {
    const same = whole[index]
    // Only the margin after the last word may be missing.
    expect((same?.endMs ?? 0) - endMs).toBeLessThanOrEqual(250)
    expect(pcm).toEqual(same?.pcm.subarray(0, pcm.length))
  }
})

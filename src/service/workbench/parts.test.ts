import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctedText, correctionsTo, type PartText } from '../text/transcripts/part-text.ts'
import { cutParts } from './make-parts.ts'
import { addStretches, changedWords, findUnheard, partsProgress } from './parts.ts'

test('parts cover a recording without a gap, are about six minutes long, and are cut where nobody speaks', () => {
  const recording = fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 1, max: 30_000 })), {
    maxLength: 400,
  })
  fc.assert(
    fc.property(recording, fc.integer({ min: 0, max: 60_000 }), (lengths, restMs) => {
      let at = 0
      const spoken = lengths.map(([silenceMs, ms]) => {
        at += silenceMs + ms
        return { startMs: at - ms, endMs: at }
      })
      const parts = cutParts(spoken, at + restMs)
      expect(parts[0]?.startMs).toBe(0)
      expect(parts.at(-1)?.endMs).toBe(at + restMs)
      for (const [index, { startMs, endMs }] of parts.entries()) {
        expect(parts[index + 1]?.startMs ?? endMs).toBe(endMs)
        expect(endMs - startMs).toBeLessThanOrEqual(450_000)
        if (index < parts.length - 1) expect(endMs - startMs).toBeGreaterThanOrEqual(270_000)
      }
    }),
    { numRuns: 200 },
  )
  const [first] = cutParts(
    [
      { startMs: 0, endMs: 300_000 },
      { startMs: 301_000, endMs: 340_000 },
      { startMs: 345_000, endMs: 900_000 },
    ],
    900_000,
  )
  expect(first).toEqual({ startMs: 0, endMs: 342_500 })
})

test('progress never decreases, in any order of steps, and is 60 only if all is typed', () => {
  const step = fc.record({ part: fc.nat({ max: 9 }), what: fc.constantFrom('type', 'review', 'rework') })
  const lengths = fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(lengths, fc.array(step, { maxLength: 60 }), (all, steps) => {
      const parts = all.map((ms) => ({ ms, reached: 0, done: 0 }))
      let before = 0
      for (const { part: index, what } of steps) {
        const part = parts[index % parts.length]
        if (part === undefined) continue
        if (what === 'rework') part.done = 0
        if (what === 'type' && part.done === 0) part.done = 1
        if (what === 'review' && part.done === 1) part.done = 2
        part.reached = Math.max(part.reached, part.done)
        const percent = partsProgress(parts, false)
        expect(percent).toBeGreaterThanOrEqual(before)
        expect(percent >= 60).toBe(parts.every(({ reached }) => reached >= 1))
        expect(percent).toBeLessThanOrEqual(85)
        before = percent
      }
    }),
  )
  const done = [{ ms: 1, reached: 2 }]
  expect([partsProgress(done, false), partsProgress(done, true)]).toEqual([85, 99])
})

const word = fc.record({
  word: fc.constantFrom('a', 'b', 'c', 'd'),
  start: fc.nat({ max: 100 }),
  end: fc.nat({ max: 100 }),
  conf: fc.constant(1),
  speaker: fc.integer({ min: 0, max: 1 }),
})
const names = fc.constantFrom(['Ann', 'Bob'], ['Bob', 'Ann'], ['Ann', 'Ann'], ['Ann', 'Ann', 'Bob'])
const text = fc.record({ words: fc.array(word, { maxLength: 12 }), names })
const said = ({ words, names }: PartText) => words.map(({ word, speaker }) => [word, names[speaker]])

test('the corrections between two texts turn one into the other', () => {
  fc.assert(
    fc.property(text, text, (base, wanted) => {
      expect(said(correctedText(base, correctionsTo(base, wanted)))).toEqual(said(wanted))
    }),
  )
})

test('corrections find their speakers in a part that has them in another order', () => {
  const say = (word: string, speaker: number) => ({ word, start: 0, end: 1, conf: 1, speaker })
  const wanted = { words: [say('yes', 0), say('no', 1)], names: ['Ann', 'Bob Lee'] }
  const set = correctionsTo({ words: [say('yes', 0)], names: ['Ann', 'Bob'] }, wanted)
  const turned = { words: [say('yes', 1)], names: ['Bob', 'Ann'] }
  expect(said(correctedText(turned, set))).toEqual(said(wanted))
})

test('counts the minimum of changed words', () => {
  expect(changedWords(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe(1)
  expect(changedWords([], ['a', 'b'])).toBe(2)
  expect(changedWords(['a', 'b', 'c', 'd'], ['c', 'd'])).toBe(2)
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 })), fc.array(fc.nat({ max: 3 })), (a, b) => {
      const [before, after] = [a.map(String), b.map(String)]
      const changed = changedWords(before, after)
      expect(changed).toBe(changedWords(after, before))
      expect(changed).toBeLessThanOrEqual(before.length + after.length)
      expect(changed === 0).toBe(before.join() === after.join())
    }),
  )
})

test('played stretches add up, and unplayed ones are listed', () => {
  const heard = addStretches(
    addStretches('[]', [
      [12, 20],
      [10, 13],
      [30, 25],
    ]),
    [[40, 50]],
  )
  expect(findUnheard(JSON.parse(heard), [[10, 50]])).toEqual({ unheard: [[20, 40]], share: 0.5 })
})

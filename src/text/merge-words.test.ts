import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CorrectionSet, Patch, PatchWord } from '../contract/account/corrections.ts'
import { mergeSets } from './correction-set.ts'
import type { Original } from './merge-words.ts'
import { applyPatches, makePatch } from './patches.ts'

/** Turns of four words by two speakers. */
const words = Array.from({ length: 16 }, (_, at): PatchWord => {
  const turn = Math.floor(at / 4)
  return { text: `w${at}`, start: at, end: at + 1, conf: 1, endsTurn: at % 4 === 3, speaker: turn % 2, old: at }
})
const original: Original = {
  source: { count: words.length, wordText: (index) => words[index]?.text ?? '', startOf: (index) => index },
  wordsAt: ({ from, to }) => words.slice(from, to).map((word, old) => ({ ...word, old })),
}
const names = ['Ann', 'Ben', 'Cy']
const setOf = (now: readonly PatchWord[]): CorrectionSet => ({
  fingerprint: 'f',
  baseNames: names,
  names,
  patches: [makePatch(original.source, 0, words.length, now)],
})
const textOf = (now: readonly PatchWord[]) => now.map(({ text }) => text).join(' ')

/** The text after merging two changes of a base, and after choosing mine where theirs has stayed. */
function merge(base: readonly PatchWord[], mine: readonly PatchWord[], theirs: readonly PatchWord[]) {
  const { set, lost } = mergeSets(setOf(base), setOf(mine), setOf(theirs), original)
  const now = applyPatches(words, set.patches.map(withOrigins), (word) => word)
  const chosen = lost.map(withOrigins).reduce((text, { from, to, words: put }) => {
    const first = text.findLastIndex(({ old }) => old >= 0 && old < from) + 1
    const end = text.findIndex(({ old }) => old >= to)
    return text.toSpliced(first, (end === -1 ? text.length : end) - first, ...put)
  }, now)
  return { now, chosen, lost }
}

const withOrigins = (patch: Patch): Patch => ({
  ...patch,
  words: patch.words.map((word) => ({ ...word, old: word.old < 0 ? -1 : word.old + patch.from })),
})

const retype = (now: readonly PatchWord[], at: number, text: string) =>
  now.map((word, index) => (index === at ? { ...word, text, old: -1 } : word))
const insert = (now: readonly PatchWord[], at: number, text: string) =>
  now.toSpliced(at, 0, { ...(now[at] as PatchWord), text, endsTurn: false, old: -1 })
const remove = (now: readonly PatchWord[], at: number) => {
  const ends = now[at]?.endsTurn === true
  return now.map((word, index) => (index === at - 1 && ends ? { ...word, endsTurn: true } : word)).toSpliced(at, 1)
}
const assign = (now: readonly PatchWord[], from: number, to: number, speaker: number) =>
  now.map((word, index) => (index >= from && index < to ? { ...word, speaker } : word))
const mergeTurns = (now: readonly PatchWord[], end: number) =>
  assign(now, end, end + 4, now[end - 1]?.speaker ?? 0).map((word, index) =>
    index === end - 1 ? { ...word, endsTurn: false } : word,
  )
const split = (now: readonly PatchWord[], at: number) =>
  assign(now, at, (Math.floor(at / 4) + 1) * 4, 2).map((word, index) =>
    index === at - 1 ? { ...word, endsTurn: true } : word,
  )

const sideways = fc.constantFrom<(now: readonly PatchWord[]) => PatchWord[]>(
  (now) => assign(now, 4, 8, 2),
  (now) => mergeTurns(now, 4),
  (now) => mergeTurns(now, 8),
  (now) => split(now, 6),
)
const edit = fc.record({ at: fc.integer({ min: 1, max: 12 }), kind: fc.constantFrom(retype, insert, remove) })

test('two devices that change different words of a turn that was merged keep both changes', () => {
  const base = mergeTurns(words, 4)
  fc.assert(
    fc.property(fc.nat(15), fc.nat(15), (one, two) => {
      fc.pre(one !== two)
      const { now, lost } = merge(base, retype(base, one, 'mine'), retype(base, two, 'theirs'))
      expect(lost).toEqual([])
      expect(now.map(({ old: _, ...word }) => word)).toEqual(
        retype(retype(base, one, 'mine'), two, 'theirs').map(({ old: _, ...word }) => word),
      )
    }),
  )
})

/** Applies edits at words that another list of edits does not touch. */
const typed = (now: readonly PatchWord[], edits: readonly { at: number; kind: typeof retype }[], by: string) =>
  edits.reduce((text, { at, kind }, index) => kind(text, at, `${by}${index}`), [...now])

test('words of one device get the turns and speakers of the other, which types elsewhere', () => {
  let conflicts = 0
  fc.assert(
    fc.property(
      sideways,
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      (turn, edits, isMine, isTyping) => {
        const one = typed(words, edits, 'typed')
        const turned = turn(isTyping ? retype(words, 14, 'elsewhere') : words)
        fc.pre(!isTyping || one.some(({ old, text }, at) => old === 14 && text === 'w14' && one[at - 1]?.old === 13))
        const { now, chosen, lost } = isMine ? merge(words, one, turned) : merge(words, turned, one)
        const whole = textOf(
          isTyping
            ? retype(
                one,
                one.findIndex(({ old }) => old === 14),
                'elsewhere',
              )
            : one,
        )
        if (lost.length > 0) {
          conflicts++
          expect([textOf(now), textOf(chosen)]).toContain(whole)
          return
        }
        expect(textOf(now)).toBe(whole)
        for (const [index, word] of now.entries()) {
          const { speaker, endsTurn, old } = word
          if (old >= 0) expect(speaker).toBe(turned.find((other) => other.old === old)?.speaker)
          if (!endsTurn && index + 1 < now.length) expect(now[index + 1]?.speaker, textOf(now)).toBe(speaker)
        }
        expect(now.at(-1)?.endsTurn).toBe(true)
      },
    ),
    { numRuns: 1_000 },
  )
  expect(conflicts).toBeLessThan(250)
})

test('a turn that one gave to another speaker while typing in it, and in which the other typed, has all three', () => {
  const mine = retype(words, 5, 'mine')
  const theirs = retype(mergeTurns(words, 4), 7, 'theirs')
  const { now, lost } = merge(words, mine, theirs)
  expect(lost).toEqual([])
  expect(textOf(now)).toContain('w3 w4 mine w6 theirs w8')
  expect(now.slice(0, 8).map(({ speaker }) => speaker)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  const both = merge(words, retype(retype(words, 4, 'mine'), 6, 'mine, too'), retype(theirs, 4, 'theirs, too'))
  expect(both.lost).toHaveLength(1)
  expect(textOf(both.now)).toContain('w3 theirs, too w5 mine, too theirs w8')
  expect(textOf(both.chosen)).toContain('w3 mine w5 mine, too theirs w8')
})

test('of words that both changed theirs stay, and choosing mine keeps what else they changed', () => {
  const base = mergeTurns(words, 4)
  const mine = retype(retype(base, 2, 'mine'), 6, 'my other')
  const theirs = retype(retype(base, 2, 'theirs'), 4, 'their other')
  const { now, chosen, lost } = merge(base, mine, theirs)
  expect(lost).toHaveLength(1)
  expect(textOf(now)).toContain('w0 w1 theirs w3 their other w5 my other w7')
  expect(textOf(chosen)).toContain('w0 w1 mine w3 their other w5 my other w7')
})

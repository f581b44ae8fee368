import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PatchWord } from '../contract/account/corrections.ts'
import { makePatch } from './patches.ts'
import { fitSpeakers } from './speakers.ts'

const empty = { count: 0, wordText: () => '', startOf: () => 0 }
const wordOf = (speaker: number): PatchWord => {
  return { text: 'a', start: 0, end: 1, conf: 1, endsTurn: true, speaker, old: -1 }
}

/** The names to show, and the index in them of each speaker of the corrections. */
function match(own: readonly string[], set: { baseNames: readonly string[]; names: readonly string[] }) {
  const patch = makePatch(empty, 0, 0, [...set.names.keys()].map(wordOf))
  const { names, patches } = fitSpeakers(own, { ...set, patches: [patch] })
  return { names, speakers: patches.flatMap(({ words }) => words.map(({ speaker }) => speaker)) }
}

/** Few names, so that some are equal. */
const name: fc.Arbitrary<string> = fc.constantFrom('Ann', 'Ben', 'Cy', 'Di')
const uniqueNames = fc.uniqueArray(name)

/** Corrections of a text with these names: some renamed, perhaps alike, and some added. */
const renamed = (baseNames: readonly string[]) =>
  fc
    .tuple(fc.array(fc.option(name), { minLength: 4, maxLength: 4 }), fc.array(name, { maxLength: 2 }))
    .map(([given, added]) => ({ baseNames, names: [...baseNames.map((base, at) => given[at] ?? base), ...added] }))

describe('speakers of corrections', () => {
  test('are those with their numbers in the text they were made for, however many have one name', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }).chain(renamed), (set) => {
        const { names, speakers } = match(set.baseNames, set)
        expect(names).toEqual(set.names)
        expect(speakers).toEqual([...set.names.keys()])
      }),
    )
  })

  test('keep their names in a text that has them in another order', () => {
    const cases = uniqueNames.chain((baseNames) =>
      fc.tuple(renamed(baseNames), fc.shuffledSubarray(baseNames, { minLength: baseNames.length })),
    )
    fc.assert(
      fc.property(cases, ([set, own]) => {
        const { names, speakers } = match(own, set)
        expect(names).toHaveLength(set.names.length)
        for (const [speaker, base] of set.baseNames.entries()) expect(speakers[speaker]).toBe(own.indexOf(base))
        for (const [speaker, given] of set.names.entries()) expect(names[speakers[speaker] ?? -1]).toBe(given)
      }),
    )
  })

  test('are matched by place in a text with as many, if no name is the same; renames count, other names stay', () => {
    fc.assert(
      fc.property(uniqueNames.chain(renamed), (set) => {
        const own = set.baseNames.map((_, index) => `S${index + 1}`)
        const { names, speakers } = match(own, set)
        expect(speakers).toEqual([...set.names.keys()])
        expect(names).toEqual(set.names.map((given, at) => (given === set.baseNames[at] ? own[at] : given)))
      }),
    )
  })

  test('are never guessed in a text with more or fewer, where nobody else gets their names', () => {
    const set = { baseNames: ['Ann', 'Ben'], names: ['Anna', 'Ben'] }
    expect(match(['Cy'], set).names).toEqual(['Cy', 'Anna', 'Ben'])
    expect(match(['Cy', 'Ben', 'Di'], set).names).toEqual(['Cy', 'Ben', 'Di', 'Anna'])
  })

  test.each([
    [
      'a name by number goes before one by place',
      ['Ben', 'Cy'],
      ['Ann', 'Ben'],
      ['Anna', 'Ben'],
      ['Ben', 'Cy', 'Anna'],
    ],
    ['two with one name stay two', ['Ann', 'Ann'], ['Ann', 'Ann'], ['Ann', 'Bob'], ['Ann', 'Bob']],
    [
      'two voices known as one are both renamed',
      ['Ann', 'Ben', 'Ann'],
      ['Ann', 'Ben'],
      ['Anna', 'Ben'],
      ['Anna', 'Ben', 'Anna'],
    ],
    ['a speaker whom the text has renamed too', ['Ben', 'Anna'], ['Ann', 'Ben'], ['Anna', 'Ben'], ['Ben', 'Anna']],
    ['an added speaker whom the text now has', ['Ann', 'Cy'], ['Ann'], ['Ann', 'Cy'], ['Ann', 'Cy']],
    ['names that the corrections do not know', ['Ann', 'Ben'], [], [], ['Ann', 'Ben']],
  ])('%s', (_, own, baseNames, names, shown) => {
    expect(match(own, { baseNames, names }).names).toEqual(shown)
  })
})

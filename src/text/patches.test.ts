import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDifferences } from './differences.ts'
import { applyPatches, makePatch } from './patches.ts'

const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 })

const differencesBetween = (a: readonly string[], b: readonly string[]) =>
  findDifferences(a.length, b.length, (old, now) => a[old] === b[now])

/** The length of the longest common subsequence, by its definition. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[]
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return at(0, 0)
}

function expectPatches(before: readonly string[], after: readonly string[]): void {
  const source = { count: before.length, wordText: (at: number) => before[at] ?? '', startOf: (at: number) => at }
  const patches = differencesBetween(before, after).map(({ from, to, begin, end }) => {
    const words = after.slice(begin, end).map((text) => {
      return { text, start: 0, end: 1, conf: 1, endsTurn: false, speaker: -1, old: -1 }
    })
    return makePatch(source, from, to, words)
  })
  expect(applyPatches(before, patches, ({ text }) => text)).toEqual(after)
  for (const [index, { from, old }] of patches.entries()) {
    expect(from).toBeGreaterThan(index === 0 ? -1 : (patches[index - 1]?.to ?? 0))
    expect(old).toEqual(before.slice(from, from + old.length))
  }
}

describe('patches of the differences between two texts', () => {
  test('turn one text into the other, are minimal, sorted, and never touch', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        expectPatches(before, after)
        const differences = differencesBetween(before, after)
        const changed = differences.reduce((sum, { from, to, begin, end }) => sum + to - from + end - begin, 0)
        expect(changed).toBe(before.length + after.length - 2 * commonLength(before, after))
      }),
      { numRuns: 2_000 },
    )
  })

  test('turn one text into the other however many they are', () => {
    const long = fc.array(fc.constantFrom(...'abcdefghijklmnopqrst'), { minLength: 300, maxLength: 900, size: 'max' })
    fc.assert(fc.property(long, long, expectPatches), { numRuns: 30, endOnFailure: true })
    // The furthest point was once beyond the end of the text.
    fc.assert(fc.property(long, long, expectPatches), { numRuns: 3, seed: 1_694_152_785, endOnFailure: true })
  })

  test('are as small among thousands as alone', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `w${index % 700}`)
    const after = before.map((word, index) => (index % 5 === 2 ? `x${index}` : word))
    const differences = differencesBetween(before, after)
    expect(differences).toHaveLength(4_000)
    expect(differences.every(({ from, to, begin, end }) => to - from === 1 && end - begin === 1)).toBe(true)
  })

  test('are one from the first to the last if hardly anything is the same', () => {
    const [a, b] = [1, 2].map((one) => Array.from({ length: 2_000 }, (_, index) => `${one} ${index}`))
    expect(differencesBetween(['same', ...(a ?? [])], ['same', ...(b ?? [])])).toEqual([
      { from: 1, to: 2_001, begin: 1, end: 2_001 },
    ])
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCovered, type WordRange, withoutRanges, withRanges } from './word-ranges.ts'

const most = 40
const range = fc
  .tuple(fc.nat(most - 1), fc.integer({ min: 1, max: 8 }))
  .map(([from, length]): WordRange => [from, Math.min(most, from + length)])
const ranges = fc.array(range, { maxLength: 8 })

const wordsOf = (list: readonly WordRange[]) =>
  new Set(list.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index)))

/** A set of words as sorted ranges of maximal length. */
function rangesOf(words: ReadonlySet<number>): [number, number][] {
  const found: [number, number][] = []
  for (let word = 0; word < most; word++) {
    if (!words.has(word)) continue
    const last = found.at(-1)
    if (last?.[1] === word) last[1] = word + 1
    else found.push([word, word + 1])
  }
  return found
}

test('ranges of words behave like sets of words in union, difference and lookup', () => {
  fc.assert(
    fc.property(ranges, ranges, range, (some, others, [from, to]) => {
      const [a, b] = [wordsOf(some), wordsOf(others)]
      const joined = withRanges(some, others)
      expect(joined).toEqual(rangesOf(new Set([...a, ...b])))
      const apart = withRanges([], some)
      expect(withoutRanges(apart, others)).toEqual(rangesOf(new Set([...a].filter((word) => !b.has(word)))))
      const all = Array.from({ length: to - from }, (_, index) => from + index)
      expect(isCovered(apart, [from, to])).toBe(all.every((word) => a.has(word)))
    }),
    { numRuns: 2_000 },
  )
})

test('the order in which devices check turns does not matter', () => {
  fc.assert(
    fc.property(fc.array(ranges, { maxLength: 5 }), (devices) => {
      const merge = (lists: readonly WordRange[][]) => lists.reduce((all, list) => withRanges(all, list), [])
      expect(merge(devices)).toEqual(merge(devices.toReversed()))
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import { currentRange } from './current-range.ts'

const base = tableOf(wordsOf('a b c d e f g h'))
const typed = (text: string) =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => ({ ...base.word(0), text: one, origin: -1 }))
const replaced = (from: number, to: number, text: string) => base.spliced([{ from, to, words: typed(text) }])
const shown = (table: typeof base, from: number, to: number) => {
  const range = currentRange(table, { from, to }, base.count)
  return table.slice(range.from, range.to)
}

test('a replaced word is found by the words that replaced it, and never by the next one', () => {
  expect(shown(base, 2, 3)).toBe('c')
  expect(shown(replaced(2, 3, 'x'), 2, 3)).toBe('x')
  expect(shown(replaced(2, 3, 'x y z'), 2, 3)).toBe('x y z')
  expect(shown(replaced(2, 3, ''), 2, 3)).toBe('')
  expect(shown(replaced(2, 2, 'x'), 2, 2)).toBe('x')
  expect(shown(replaced(7, 8, 'x'), 7, 8)).toBe('x')
})

test('of neighbouring words that were replaced one for one, only its own is found', () => {
  expect(shown(replaced(1, 5, 'v w x y'), 2, 4)).toBe('w x')
  expect(shown(replaced(6, 8, 'x y'), 6, 7)).toBe('x')
})

test('no word is taken that may stand for another', () => {
  expect(shown(replaced(1, 4, 'x y'), 2, 3)).toBe('')
  fc.assert(
    fc.property(fc.nat(8), fc.nat(8), fc.nat(4), fc.nat(7), (one, other, count, at) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const table = replaced(from, to, 'x '.repeat(count))
      const range = currentRange(table, { from: at, to: at + 1 }, base.count)
      for (let index = range.from; index < range.to; index++) expect([-1, at]).toContain(table.origins[index])
      if (from <= at && at < to && count !== to - from && to - from > 1) expect(range.to).toBe(range.from)
    }),
  )
})

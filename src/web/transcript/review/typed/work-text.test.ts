import { expect, it } from 'vitest'
import { nowText, workText } from './work-done.tsx'

const work = {
  parts: 14,
  typed: 0,
  reviewed: 0,
  now: 'waiting' as const,
  is_checked: false,
  re_review: null,
  blanks: 0,
  names: [],
  sections: [],
}

it.each([
  [{}, '14 parts, none typed yet'],
  [{ typed: 1 }, '1 of 14 parts typed, none reviewed'],
  [{ typed: 12, reviewed: 5, blanks: 2 }, '12 of 14 parts typed, 5 reviewed; 2 blanks'],
  [{ parts: 1, typed: 1, reviewed: 1, blanks: 1 }, '1 of 1 part typed, 1 reviewed; 1 blank'],
  [{ typed: 14, reviewed: 14, is_checked: true }, '14 of 14 parts typed, checked as a whole'],
])('%j is told as "%s"', (change, words) => {
  expect(workText({ ...work, ...change })).toBe(words)
})

it.each([
  [{}, 'It waits for a typist'],
  [{ typed: 3 }, 'The rest waits for a typist'],
  [{ typed: 3, now: 'typing' }, 'It is being typed'],
  [{ typed: 14, reviewed: 13 }, 'It waits to be reviewed'],
  [{ typed: 14, reviewed: 14 }, 'It waits to be checked as a whole'],
] as const)('what happens now: %j is "%s"', (change, words) => {
  expect(nowText({ ...work, ...change })).toBe(words)
})

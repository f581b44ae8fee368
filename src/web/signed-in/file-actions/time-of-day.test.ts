import { expect, it } from 'vitest'
import { parseTimeOfDay, shownBeginning } from './time-of-day.ts'

it.each([
  ['15:06', 54_360],
  [' 9.05.30 ', 32_730],
  ['15:06:10.48', 54_370.48],
  ['23:59:59,999', 86_399.999],
  ['12:00 am', 0],
  ['3:06pm', 54_360],
  ['', null],
  ['24:00', undefined],
  ['15:60', undefined],
  ['0:30 am', undefined],
  ['13:00 pm', undefined],
  ['15', undefined],
  ['-1:00', undefined],
])('reads the time of day %j as %s', (text, seconds) => expect(parseTimeOfDay(text)).toBe(seconds))

it('shows what it reads again', () => {
  for (const seconds of [0, 54_370.48, 86_399.999]) expect(parseTimeOfDay(shownBeginning(seconds))).toBe(seconds)
})

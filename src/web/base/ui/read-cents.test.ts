import { expect, test } from 'vitest'
import { readCents } from './read-cents.ts'

test('a sum is read as it is shown, and with a comma for the decimals', () => {
  const sums = ['20', ' 7.5 ', '7,50', '10,000.00', '10.000,00', '1,234', '1,234,567.89', '0.01']
  expect(sums.map(readCents)).toEqual([2_000, 750, 750, 1_000_000, 1_000_000, 123_400, 123_456_789, 1])
  for (const none of ['', '1.234', '1,23,4', '7.505', '-5', '1e3', '10,00.00', '10000000', '5 €'])
    expect([none, readCents(none)]).toEqual([none, Number.NaN])
})

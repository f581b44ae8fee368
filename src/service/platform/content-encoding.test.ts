import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodingFor, encodings } from './content-encoding.ts'

test('the client gets its highest weight, and among equals the best encoding', () => {
  for (const [header, expected] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['gzip ; q=1.0 , br ; q=0', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *;q=0.1', 'br'],
    ['identity, br', 'br'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['br;q=0.5, identity', null],
    ['deflate, compress', null],
    ['', null],
    [undefined, null],
  ] as const) {
    expect([header, encodingFor(header)]).toEqual([header, expected])
  }
  expect(encodingFor('zstd, gzip;q=0.1', ['br', 'gzip'])).toBe('gzip')
})

test('a header that refuses everything, or cannot be parsed, gets the plain text', () => {
  for (const header of ['identity;q=0', '*;q=0', 'identity;q=0, *;q=0', ';;;', 'gzip;q=', 'br;q=much', '\0', 'q=1']) {
    expect([header, encodingFor(header)]).toEqual([header, null])
  }
  expect(encodingFor('x'.repeat(8_000))).toBeNull()
  expect(encodingFor('br;q=0,'.repeat(1_000))).toBeNull()
})

test('a refused encoding is never sent, whatever else is in the header', () => {
  fc.assert(
    fc.property(fc.constantFrom(...encodings), fc.string(), (refused, rest) => {
      const others = rest.toLowerCase().replaceAll(refused, '')
      expect(encodingFor(`${others},${refused};q=0`)).not.toBe(refused)
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOfWords, placeOfHash } from './transcript-place.ts'

test('links to words lead back to the same words, and anything else leads nowhere', () => {
  fc.assert(
    fc.property(fc.nat(300_000), fc.integer({ min: 1, max: 500 }), (from, length) => {
      expect(placeOfHash(hashOfWords(from, from + length))).toEqual({ kind: 'words', from, to: from + length })
    }),
  )
  expect(placeOfHash('#w=6-7&play')).toEqual({ kind: 'words', from: 6, to: 8, plays: true })
  expect(placeOfHash('#t=123.4')).toEqual({ kind: 'time', seconds: 123.4 })
  for (const hash of ['', '#', '#t=', '#t=-1', '#t=1e3', '#w=a', '#w=1-', '#x=1']) expect(placeOfHash(hash)).toBeNull()
})

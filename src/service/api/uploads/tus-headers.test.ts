import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { refineText } from '../../platform/refine-text.ts'
import { formatMetadata, parseMetadata } from './tus-headers.ts'

const key = fc.stringMatching(/^[!-+\--~]{1,20}$/)
const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed()),
)

it('round-trips any keys and values', async () => {
  await fc.assert(
    fc.property(fc.dictionary(fc.oneof(key, fc.constant('__proto__')), value, { minKeys: 1 }), (metadata) => {
      const header = formatMetadata(metadata)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      const refined = Object.entries(metadata).map(([name, text]) => [name, text && refineText(text)])
      expect(Object.entries(parseMetadata(header))).toEqual(refined)
    }),
  )
})

it('refuses anything else with 400, and nothing else', async () => {
  await fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aé ,=+/A1') }), (header) => {
      try {
        expect(formatMetadata(parseMetadata(header)).split(',').length).toBe(
          header === '' ? 1 : header.split(',').length,
        )
      } catch (error) {
        expect(error).toMatchObject({ status: 400 })
      }
    }),
  )
})

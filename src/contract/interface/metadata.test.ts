import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { toHeaderJson } from './metadata.ts'

it('is printable ASCII that round-trips through a JSON parser, for any texts (decision 2)', async () => {
  // Any UTF-16 units, including lone surrogates, controls and separators.
  const unit = fc.oneof(fc.nat(0xff), fc.nat(0xffff))
  const text = fc.array(unit, { maxLength: 40 }).map((units) => String.fromCharCode(...units))
  await fc.assert(
    fc.property(fc.record({ name: text, options: fc.record({ speaker_names: fc.array(text) }) }), (metadata) => {
      const header = toHeaderJson(metadata)
      expect(header).toMatch(/^[\x20-\x7e]*$/)
      expect(JSON.parse(header)).toEqual(metadata)
    }),
  )
})

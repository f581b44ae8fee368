import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isValueOption, listValues, optionNames } from '../../../contract/interface/option-values.ts'
import { OptionError, parseOptions } from '../../../contract/interface/order-options.ts'

const valueOptions = optionNames.filter(isValueOption)
/** Generates an option with one of its values, in random case. */
const written = fc
  .constantFrom(...valueOptions)
  .chain((name) =>
    fc.tuple(fc.constant(name), fc.constantFrom<string>(...listValues(name)), fc.infiniteStream(fc.boolean())),
  )
  .map(([name, value, capitals]) => ({
    name,
    value,
    text: [...value].map((letter) => (capitals.next().value === true ? letter.toUpperCase() : letter)).join(''),
  }))

it('accepts every value in any case, spaces as %20 or + (spec 2.3, rules 1 and 6)', async () => {
  await fc.assert(
    fc.property(
      fc.uniqueArray(written, { selector: ({ name }) => name, maxLength: valueOptions.length }),
      fc.boolean(),
      (given, plus) => {
        const query = given
          .map(({ name, text }) => `${name}=${encodeURIComponent(text).replaceAll('%20', plus ? '+' : '%20')}`)
          .join('&')
        const parsed = parseOptions(new URLSearchParams(query))
        expect(parsed).toEqual(Object.fromEntries(given.map(({ name, value }) => [name, value])))
      },
    ),
  )
})

it('parses any query, or names the invalid option', async () => {
  const name = fc.oneof(fc.constantFrom(...optionNames), fc.string(), fc.constantFrom('__proto__', 'constructor', ''))
  const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('on', 'off', 'yes', 'manual'))
  await fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (pairs) => {
      try {
        for (const known of Object.keys(parseOptions(pairs))) expect(optionNames).toContain(known)
      } catch (error) {
        if (!(error instanceof OptionError)) throw error
        expect(pairs.map(([given]) => given.trim().toLowerCase())).toContain(error.option.trim().toLowerCase())
        expect(error.message).toContain(error.option)
      }
    }),
  )
})

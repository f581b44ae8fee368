import { describe, expect, it } from 'vitest'
import { optionTable } from '../../../contract/interface/option-table.ts'
import {
  isValueOption,
  listValues,
  type OptionName,
  type OrderOptions,
  optionNames,
  readStoredOptions,
  specDefaultOptions,
} from '../../../contract/interface/option-values.ts'
import { storedOptions } from '../../../contract/interface/order-options.ts'
import { differences, optionFacts } from './option-words.ts'
import { optionWords, orderText } from './order-text.ts'

/** Every option in turn with each non-default value, and its prerequisites. */
const changed = optionNames
  .filter((name) => name !== 'transcript_type')
  .flatMap((name): [OptionName, OrderOptions][] => {
    const option = optionTable[name]
    const rest = { ...specDefaultOptions, ...('needs' in option ? option.needs : {}) }
    const values = isValueOption(name)
      ? listValues(name).filter((value) => value !== specDefaultOptions[name])
      : [name === 'speaker_names' ? ['Ann'] : 'some text']
    return values.map((value) => [name, { ...rest, [name]: value }])
  })

describe('no option is left out', () => {
  it.each(changed)('%s is shown in the list, in the tray and among the facts', (name, options) => {
    const needed = 'needs' in optionTable[name] ? optionWords({ ...options, [name]: specDefaultOptions[name] }) : []
    expect(optionWords(options).length).toBe(needed.length + 1)
    expect(differences(options, specDefaultOptions).length).toBe(needed.length + 1)
    expect(optionFacts(options).map(([label]) => label)).toContain(optionTable[name].label)
  })
})

it('says nothing of options that do not count', () => {
  const options = { ...specDefaultOptions, strict_verbatim: 'on', speaker_tracking_format: 'full names' } as const
  expect(orderText(options)).toBe('Manual · Verbatim · Full names')
  expect(orderText({ ...options, speaker_tracking: 'off' })).toBe('Manual · Verbatim · No speakers')
  expect(orderText({ ...options, transcript_type: 'automated' })).toBe('Automated')
  expect(optionFacts({ ...options, transcript_type: 'automated' })).toEqual([['Transcript', 'Automated']])
})

describe('options stored by a version that knew fewer, or other values', () => {
  const { spelling_style: _later, ...known } = specDefaultOptions

  it('have the default of a missing option', () => {
    expect(readStoredOptions(JSON.stringify({ ...known, instructions: 'x' }))).toEqual({
      ...specDefaultOptions,
      instructions: 'x',
    })
    expect(storedOptions.parse(known)).toEqual(specDefaultOptions)
  })

  it('have the default instead of an obsolete value', () => {
    expect(storedOptions.parse({ ...known, spelling_style: 'klingon' })).toEqual(specDefaultOptions)
  })
})

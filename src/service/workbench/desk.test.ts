import { describe, expect, it } from 'vitest'
import { optionTable, staffChecks } from '../../contract/interface/option-table.ts'
import { isValueOption, listValues, optionNames, specDefaultOptions } from '../../contract/interface/option-values.ts'
import { buildSheet } from './desk.ts'

const manual = { ...specDefaultOptions, transcript_type: 'manual' } as const
const textsOf = (options: object) => buildSheet({ ...manual, ...options }).map(({ text }) => text)

describe('the checklist of a part', () => {
  it('covers the default options', () => {
    const { strict_verbatim, speaker_tracking } = staffChecks
    const asked = [strict_verbatim?.off, speaker_tracking?.on, 'American spelling']
    expect(textsOf({})).toEqual(expect.arrayContaining(asked))
    expect(textsOf({})).not.toContain(staffChecks.subtitle_file?.on)
  })

  it.each(optionNames.filter(isValueOption).filter((name) => staffChecks[name] !== null))(
    'says something else for each value of %s',
    (name) => {
      const sheets = listValues(name).map((value) => textsOf({ [name]: value }).join('\n'))
      expect(new Set(sheets).size).toBe(sheets.length)
    },
  )

  it('lists an option without its own sentence by its value', () => {
    expect(staffChecks).not.toHaveProperty('spelling_style')
    for (const [spelling_style, words] of Object.entries(optionTable.spelling_style.values))
      expect(textsOf({ spelling_style })).toContain(words)
  })

  it('has a point for each sentence, whatever else ends with a full stop', () => {
    const instructions = 'Write numbers as digits. Dr. J. Smith speaks first, e.g. on Mars! Mark the break (at 2 p.m.).'
    expect(textsOf({ instructions }).slice(-3)).toEqual([
      'Write numbers as digits.',
      'Dr. J. Smith speaks first, e.g. on Mars!',
      'Mark the break (at 2 p.m.).',
    ])
  })

  it('has a point for each line of a text that applies', () => {
    const details = { instructions: '- Mark pauses\n2. Name the hospital', custom_formatting_details: 'Bold names' }
    expect(textsOf(details).slice(-2)).toEqual(['Mark pauses', 'Name the hospital'])
    expect(textsOf({ ...details, custom_formatting: 'yes' }).at(-1)).toBe('Bold names')
    expect(buildSheet({ ...manual, ...details }).at(-1)?.id).toBe('instructions-2')
  })
})

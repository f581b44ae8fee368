import { expect, test } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { aboutWith, isAsOrdered, patternName } from './apply-choices.ts'
import { type Choices, readChoices, readKeptChoices } from './choices.ts'

const parts = { name: 'Talk', date: '2026-11-22', speakers: ['Ann Lee', 'Bob'], corrected: true, id: 'f00d' }
const nameOf = (pattern: string, changes: Partial<typeof parts> = {}) =>
  patternName(pattern, 'docx', { ...parts, ...changes })
const { parley, bbc } = captionStyles
const choose = (choices: Partial<Choices>) => readChoices(choices)

test('a pattern becomes a file name; empty parts are removed with the blank before them', () => {
  expect(nameOf('{date} {name} {speakers}')).toBe('2026-11-22 Talk Ann Lee, Bob.docx')
  expect(nameOf('{name} {corrected}')).toBe('Talk corrected.docx')
  expect(nameOf('{name} {corrected}', { corrected: false })).toBe('Talk.docx')
  expect(nameOf('{name} {speakers} {date}', { speakers: [] })).toBe('Talk 2026-11-22.docx')
  expect(nameOf('{name} {what}')).toBe('Talk {what}.docx')
})

test('a pattern yields no folders, no invisible characters, and never an empty name', () => {
  expect(nameOf('../../etc/{name}')).toBe('_.._etc_Talk.docx')
  expect(nameOf('C:\\{name}')).toBe('C__Talk.docx')
  expect(nameOf('{name}', { name: 'AC/DC' })).toBe('AC_DC.docx')
  expect(nameOf('a\u202e{name}\u200b\u0000')).toBe('aTalk.docx')
  for (const pattern of ['', '   ', '...', '/', '{speakers}', '\u202e']) {
    expect(nameOf(pattern, { speakers: [] }), pattern).toBe('Talk.docx')
  }
  expect(nameOf('', { name: '..' })).toBe('f00d.docx')
  expect(nameOf('', { name: '..', id: '' })).toBe('transcript.docx')
  const long = nameOf('é'.repeat(5_000))
  expect(long.length).toBeLessThanOrEqual(200)
  expect(long).toMatch(/é\.docx$/)
})

test('a name that contains a placeholder is not expanded again', () => {
  expect(nameOf('{name}', { name: '{date} $& minutes' })).toBe('{date} $& minutes.docx')
})

const about = { title: 'Talk', options: specDefaultOptions, created: '', durationMs: 0, progressPercent: 100 }

test('choices override the order’s options, except those left as ordered', () => {
  expect(aboutWith(about, choose({}))).toEqual(about)
  const changed = aboutWith(
    about,
    choose({ names: 'full', times: 'every', everySeconds: 15, header: 'off', spacing: 'double', doubt: true }),
  )
  expect(changed).toMatchObject({ timesEvery: 15, doubtfulBelow: 0.5 })
  expect(changed.options).toEqual({
    ...specDefaultOptions,
    speaker_tracking_format: 'full names',
    transcript_template: 'blank double line spaced',
  })
  const bare = aboutWith(about, choose({ names: 'none', times: 'none', everySeconds: 15 }))
  expect(bare.options).toMatchObject({ speaker_tracking: 'off', time_coding: 'off' })
  expect(bare.timesEvery).toBeUndefined()
  const silent = { ...about, options: { ...specDefaultOptions, speaker_tracking: 'off', time_coding: 'off' } } as const
  expect(aboutWith(silent, choose({ names: 'initials', times: 'turn' })).options).toEqual(specDefaultOptions)
})

test('the service’s file is used only if it matches the choices', () => {
  expect(isAsOrdered('txt', choose({}), parley)).toBe(true)
  expect(isAsOrdered('docx', choose({}), parley), 'no format of the service').toBe(false)
  expect(isAsOrdered('pdf', choose({ names: 'full' }), parley)).toBe(false)
  expect(isAsOrdered('pdf', choose({ doubt: true }), parley)).toBe(false)
  expect(isAsOrdered('json', choose({ names: 'full' }), parley), 'JSON has none of it').toBe(true)
  const clock = choose({ captionTimes: 'clock' })
  expect(isAsOrdered('json', clock, parley, { beginsAtSeconds: 54_360 }), 'times of day in it').toBe(false)
  expect(isAsOrdered('json', clock, parley), 'no time is known').toBe(true)
  expect(isAsOrdered('srt', choose({}), parley)).toBe(true)
  expect(isAsOrdered('srt', choose({ captions: bbc }), parley)).toBe(false)
  expect(isAsOrdered('srt', choose({}), bbc), 'the rules of the transcript').toBe(false)
  expect(isAsOrdered('srt', choose({ captions: parley }), bbc), 'the service corrects by those of the transcript').toBe(
    false,
  )
  expect(isAsOrdered('txt', choose({}), bbc)).toBe(true)
  for (const format of ['doc', 'pdf', 'odt', 'txt'] as const) {
    expect(isAsOrdered(format, choose({}), parley, { isRenamed: true }), `${format}: the heading`).toBe(false)
  }
  expect(isAsOrdered('srt', choose({}), parley, { isRenamed: true }), 'captions have no heading').toBe(true)
  expect(isAsOrdered('txt', choose({ pattern: '{date} {speakers}' }), parley), 'speakers are read from words').toBe(
    false,
  )
})

test('stored choices are restored; unreadable ones fall back to the default', () => {
  const mine = choose({ names: 'none', everySeconds: 7, pattern: '{date}', captions: captionStyles.netflix })
  const stored = JSON.parse(
    JSON.stringify({
      formats: { docx: mine, exe: mine, txt: 'all' },
      presets: {
        Zoo: { ...mine, format: 'md' },
        Court: { format: 'pdf', names: 'loud' },
        Old: { format: 'wps' },
        No: 3,
      },
    }),
  )
  const kept = readKeptChoices(stored)
  expect(kept.formats, 'caption rules are each transcript’s').toEqual({ docx: { ...mine, captions: null } })
  expect(kept.presets).toEqual([
    { name: 'Court', format: 'pdf', choices: choose({}) },
    { name: 'Zoo', format: 'md', choices: mine },
  ])
  for (const broken of [null, undefined, [], 'x', { formats: [], presets: null }])
    expect(readKeptChoices(broken)).toEqual({ formats: {}, presets: [] })
  expect(readChoices({ everySeconds: -1, pattern: 'x'.repeat(5_000), captions: { lineLength: 0 } })).toEqual(choose({}))
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEmptyQuery, readQuery } from './query.ts'
import { tokenize } from './tokens.ts'

const words = (text: string) =>
  readQuery(text).terms.map(({ tokens, isPrefix }) => tokens.join(' ') + (isPrefix ? '*' : ''))

describe('queries', () => {
  test('words, phrases, prefixes and exclusions', () => {
    expect(words('old "the Mill" riv* well-known')).toEqual(['old', 'the mill', 'riv*', 'well known'])
    expect(readQuery('mill -wind -"by the sea" speaker:anna -speaker:"Ben Li" project:"Field Work"')).toMatchObject({
      terms: [{ tokens: ['mill'] }],
      without: [{ tokens: ['wind'] }, { tokens: ['by', 'the', 'sea'] }],
      speakers: [{ tokens: ['anna'] }],
      withoutSpeakers: [{ tokens: ['ben', 'li'] }],
      projects: ['field work'],
      withoutProjects: [],
    })
    expect(words('„Zum Wohl“')).toEqual(['zum wohl'])
  })

  test('times: a year, a month or a day', () => {
    const { from, before } = readQuery('from:2026-02 before:2027')
    expect([from, before]).toEqual([Date.UTC(2026, 1), Date.UTC(2027, 0)])
    expect(readQuery('from:2026-02-29').from).toBeNull()
  })

  test('invalid syntax is searched as words', () => {
    expect(words('from:monday before: speaker: tag:x project: "unclosed phrase')).toEqual([
      'from monday',
      'before',
      'speaker',
      'tag x',
      'project',
      'unclosed phrase',
    ])
    expect(words('-only -without')).toEqual(['only', 'without'])
    for (const text of ['"', '***', '- -- "" * () [] {} .*+?', ' '])
      expect(isEmptyQuery(readQuery(text)), text).toBe(true)
  })

  test('any input is parsed, and fast', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
        expect(readQuery(text).terms.length).toBeLessThanOrEqual(32)
      }),
    )
    for (const text of ['"'.repeat(10_000), '-'.repeat(10_000), 'a*'.repeat(5_000), '(a+)+$'.repeat(1_000)]) {
      const started = process.cpuUsage()
      readQuery(text)
      expect(process.cpuUsage(started).user).toBeLessThan(200_000)
    }
  })
})

test('words are compared without case, accents and vowel signs, and split if a script has no spaces', () => {
  expect(tokenize('Müller’s STRASSE')).toEqual(tokenize('muller’s Straße'))
  expect(tokenize('ΟΔΟΣ')).toEqual(tokenize('οδοσ'))
  expect(tokenize('مُحَمَّد')).toEqual(tokenize('محمد'))
  expect(tokenize('東京へ行くABC')).toEqual(['東', '京', 'へ', '行', 'く', 'abc'])
  expect(tokenize('ｶﾞ')).toEqual(tokenize('ガ'))
  expect(tokenize('👍🏽 🇳🇱❤️')).toEqual(['👍', '🇳🇱', '❤'])
  expect(tokenize('ﬁne 한국어')).toEqual(['fine', '한국어'])
  expect(tokenize('ที่นี่')).toEqual(['ที่', 'นี่'])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CorrectionSet } from '../contract/account/corrections.ts'
import { specDefaultOptions } from '../contract/interface/option-values.ts'
import { correctedTranscript } from './corrected-transcript.ts'
import { type Transcript, turnText } from './transcript.ts'
import { type HeardForm, putRight } from './vocabulary.ts'

function transcriptOf(...turns: string[]): Transcript {
  let seconds = 0
  const words = (text: string) =>
    text.split(' ').map((word) => {
      seconds += 1
      return { word, start: seconds, end: seconds + 0.5, duration: 0.5, conf: 0.5 }
    })
  return {
    title: 'Talk',
    speakers: ['Ann', 'Bo'],
    turns: turns.map((text, index) => ({ speaker: index % 2, words: words(text) })),
    options: specDefaultOptions,
    created: '2026-11-22T00:00:00.000Z',
    durationMs: 60_000,
    progressPercent: 100,
  }
}

const form = (heard: string, written: string): HeardForm => ({ heard, written })

function textsRight(transcript: Transcript, forms: readonly HeardForm[]): string[] {
  const { names, patches } = putRight(transcript, forms)
  const set: CorrectionSet = { fingerprint: '', baseNames: names, names, patches }
  return correctedTranscript(transcript, set).turns.map(turnText)
}

const right = (text: string, ...forms: HeardForm[]) => textsRight(transcriptOf(text), forms)[0]

describe('the vocabulary', () => {
  const nordwind = form('north wind', 'Nordwind')

  test('replaces heard forms, and leaves the punctuation around them', () => {
    expect(right('the (North Wind), said (north wind).', nordwind)).toBe('the (Nordwind), said (Nordwind).')
    expect(right("a north wind's end", nordwind)).toBe("a Nordwind's end")
    expect(right('Par lay and par lay', form('par lay', 'parley'))).toBe('Parley and parley')
    expect(right('see plus plus, now', form('see plus plus', 'C++'))).toBe('C++, now')
    expect(right('acme ink. Then', form('acme ink', 'Acme Inc.'))).toBe('Acme Inc. Then')
    expect(right('der loewe', form('loewe', 'Löwe AG'))).toBe('der Löwe AG')
    expect(right('nordwind sails', form('Nordwind', 'NordWind'))).toBe('NordWind sails')
  })

  test('does not match a form partially', () => {
    for (const text of [
      'north, wind',
      'north winds',
      'northwind',
      'the north',
      'north-wind',
      'wind north',
      'north (wind',
    ]) {
      expect(right(text, nordwind)).toBe(text)
    }
    expect(right('a c sharp', form('c++', 'C++'))).toBe('a c sharp')
    expect(textsRight(transcriptOf('the north', 'wind blows'), [nordwind])).toEqual(['the north', 'wind blows'])
  })

  test('prefers the longest form, and on a tie the first', () => {
    const forms = [form('wind', 'Wynd'), nordwind, form('north wind a g', 'Nordwind AG'), form('wind', 'Wind')]
    expect(right('north wind a g and north wind and wind', ...forms)).toBe('Nordwind AG and Nordwind and Wynd')
  })

  test('makes corrections of whole places, in time order, with the confidence of the original words', () => {
    const { names, patches, places } = putRight(transcriptOf('say north wind', 'acme north wind'), [
      nordwind,
      form('acme', 'Acme Incorporated'),
    ])
    expect(names).toEqual(['Ann', 'Bo'])
    expect(patches).toMatchObject([
      { from: 1, to: 3, old: ['north', 'wind'], before: ['say'], after: ['acme', 'north', 'wind'] },
      { from: 3, to: 4, old: ['acme'] },
      { from: 4, to: 6 },
    ])
    expect(patches[0]?.words).toEqual([
      { text: 'Nordwind', start: 2, end: 3.5, conf: 0.5, endsTurn: true, speaker: 0, old: -1 },
    ])
    expect(patches[1]?.words).toMatchObject([
      { text: 'Acme', start: 4, endsTurn: false, speaker: 1 },
      { text: 'Incorporated', end: 4.5, endsTurn: false, speaker: 1 },
    ])
    expect(places.map(({ text, written }) => [text, written])).toEqual([
      ['Nordwind', 'Nordwind'],
      ['Acme Incorporated', 'Acme Incorporated'],
      ['Nordwind', 'Nordwind'],
    ])
  })

  test('leaves unchanged words out of a place', () => {
    const { patches } = putRight(transcriptOf('the norse wind blows'), [form('norse wind', 'Northern wind')])
    expect(patches).toMatchObject([{ from: 1, to: 2, old: ['norse'] }])
    expect(right('a new york city', form('new york city', 'new york'))).toBe('a new york')
    expect(right('the sea', form('the sea', 'the deep sea'))).toBe('the deep sea')
  })

  test('changes nothing in a text without a heard form, whatever the words are', () => {
    const word = fc.stringMatching(/^[(“]?[a-dA-D'é]{1,3}[,.)”]?$/u)
    const words = fc.array(word, { minLength: 1, maxLength: 30 })
    const heard = fc.stringMatching(/^[e-hE-H]{1,3}( [a-h]{1,3}){0,2}$/)
    const forms = fc.array(fc.record({ heard, written: fc.stringMatching(/^[a-z]{1,5}$/) }), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), forms, (turns, vocabulary) => {
        const transcript = transcriptOf(...turns.map((turn) => turn.join(' ')))
        expect(putRight(transcript, vocabulary)).toMatchObject({ patches: [], places: [] })
      }),
    )
  })

  test('corrects every place and nothing else, wherever a form occurs', () => {
    const other = fc.stringMatching(/^[a-d]{1,3}[,.]?$/)
    const piece = fc.oneof(other, fc.constantFrom('north wind', 'North Wind.', '“north wind”'))
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 30 }), (pieces) => {
        expect(right(pieces.join(' '), nordwind)).toBe(pieces.join(' ').replaceAll(/north wind/gi, 'Nordwind'))
      }),
    )
  })
})

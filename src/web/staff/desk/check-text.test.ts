import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkText, readTextRules, recheckText } from './check-text.ts'

const wordsFound = (text: string, isVerbatim = false, style: 'american' | 'british' | 'canadian' = 'american') =>
  checkText(text, readTextRules(isVerbatim, style, 'en')).found.map(({ word, why, offer }) => [word, why, offer])

test('fillers, repetitions and false starts are found if the order wants none', () => {
  expect(wordsFound('Um, I I think, er, wh- what w-what happened.')).toEqual([
    ['Um', 'filler', null],
    ['I', 'repeated', null],
    ['er', 'filler', null],
    ['wh', 'false start', null],
    ['w-what', 'false start', null],
  ])
})

test('with strict verbatim, no disfluency is a violation', () => {
  expect(wordsFound('Um, I I think, er, wh- what.', true)).toEqual([])
})

test('intentional words are left alone: answers, places, numbers, words with hyphens', () => {
  expect(
    wordsFound('No, no. Yes. Yes. In the ER at two two he had had it; re-read pre- and post-war mhm uh-huh.'),
  ).toEqual([])
})

test('words in another spelling are found with the right one, in the same case', () => {
  expect(wordsFound('The Color of ORGANIZED labor.', false, 'british').map(([word, , offer]) => [word, offer])).toEqual(
    [
      ['Color', 'Colour'],
      ['ORGANIZED', 'ORGANISED'],
      ['labor', 'labour'],
    ],
  )
  expect(wordsFound('Colour, organised').map(([, , offer]) => offer)).toEqual(['Color', 'organized'])
  expect(wordsFound('The analyses in the catalogue')).toEqual([])
  expect(wordsFound('organised color', false, 'canadian').map(([, , offer]) => offer)).toEqual(['organized', 'colour'])
})

test('rechecking a changed text yields the same places as a full check', () => {
  const word = fc.constantFrom(
    'um',
    'I',
    'I',
    'the',
    'colour',
    'color',
    'wh-',
    'what',
    'no,',
    'Er',
    ' ',
    '  ',
    'x',
    '.',
  )
  const text = fc.array(word, { maxLength: 14 }).chain((words) => fc.constantFrom(words.join(' '), words.join('')))
  const rules = readTextRules(false, 'british', 'en')
  const bare = ({ found }: ReturnType<typeof checkText>) => found.map(({ id: _, ...one }) => one)
  fc.assert(
    fc.property(text, text, text, text, (head, before, after, tail) => {
      const checked = recheckText(checkText(head + before + tail, rules), head + after + tail, rules)
      expect(bare(checked)).toEqual(bare(checkText(head + after + tail, rules)))
      expect(new Set(checked.found.map(({ id }) => id)).size).toBe(checked.found.length)
    }),
    { numRuns: 2_000 },
  )
})

test('a place keeps its id during typing elsewhere in its turn', () => {
  const rules = readTextRules(false, 'british', 'en')
  const before = checkText('the color of it, um', rules)
  const after = recheckText(before, 'see the color of all of it, um', rules)
  expect(after.found.map(({ id }) => id)).toEqual(before.found.map(({ id }) => id))
})

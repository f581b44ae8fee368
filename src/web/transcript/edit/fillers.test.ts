import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allWords, tableOf, wordsOf } from '../model/testing/made-words.ts'
import { detectLanguage, findFillers } from './fillers.ts'
import { applyOperation, invertOperation } from './operation.ts'
import { changesWithout } from './without-words.ts'

/** The text without its English fillers; `|` separates turns. */
function cleaned(text: string): string {
  const table = tableOf(wordsOf(text))
  const words = [...findFillers(table, 'en').values()].flat().sort((a, b) => a - b)
  const now = applyOperation(
    { table, names: [] },
    { label: '', changes: changesWithout(table, words), names: null },
  ).table
  return allWords(now)
    .map(({ text: word, endsTurn }) => word + (endsTurn ? '|' : ' '))
    .join('')
    .trimEnd()
}

test('fillers are removed with their commas, and sentences keep their full stops and capitals', () => {
  for (const [before, after] of [
    ['Um, we begin.', 'We begin.'],
    ['I, um, think so.', 'I think so.'],
    ['Yes, um, I think so.', 'Yes, I think so.'],
    ['I think so, um.', 'I think so.'],
    ['Is it, uh?', 'Is it?'],
    ['we uh want um uh this', 'we want this'],
    ['That is it. Uh... Erm, next one.', 'That is it. Next one.'],
    ['He said “um, perhaps” and left.', 'He said “perhaps” and left.'],
    ['and so, um. Uh, they left', 'and so. They left'],
    ['the harbour, um the mill', 'the harbour, the mill'],
    ['Good morning, um.|Um.|Uh, thank you.', 'Good morning.|Thank you.'],
    ['Well, I, er, um, saw it (um) there.', 'Well, I saw it there.'],
  ] as const) {
    expect(cleaned(before), before).toBe(after)
  }
})

test('words that only look like fillers stay', () => {
  for (const text of [
    'An umbrella, a human, hers and errands hum.',
    'Uh-huh, mhm, ah, I see.',
    'They took him to the ER at UM.',
  ]) {
    expect(cleaned(text)).toBe(text)
  }
  expect(cleaned('SO UM THE HARBOUR')).toBe('SO THE HARBOUR')
})

test('a filler that is a word in another language is kept there', () => {
  const german = tableOf(wordsOf('Er kommt, äh, um acht und das ist, ähm, nicht die Zeit der Mühle.'))
  expect(detectLanguage(german)).toBe('de')
  expect([...findFillers(german, 'de')]).toEqual([
    ['äh', [2]],
    ['ähm', [8]],
  ])
  expect(detectLanguage(tableOf(wordsOf('nothing to tell')))).toBe('en')
})

test('after removing any words, the others keep their order and times, and one undo restores all', () => {
  const token = fc.constantFrom('um', 'Um,', 'a', 'b.', '“c', 'd”', 'E,', '<b>', 'שלום', 'uh...')
  const text = fc.array(token, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(text, fc.array(fc.nat(29)), fc.array(fc.nat(29)), (words, chosen, ends) => {
      const before = { table: tableOf(wordsOf(words, (_, index) => ({ endsTurn: ends.includes(index) }))), names: [] }
      const gone = [...new Set(chosen)].filter((word) => word < before.table.count).sort((a, b) => a - b)
      const operation = { label: '', changes: changesWithout(before.table, gone), names: null }
      const after = applyOperation(before, operation)
      const stayed = allWords(before.table).filter((_, index) => !gone.includes(index))
      expect(allWords(after.table).map(({ start }) => start)).toEqual(stayed.map(({ start }) => start))
      const letters = (all: { text: string }[]) => all.map((one) => one.text.toLowerCase().replaceAll(/\P{L}/gu, ''))
      expect(letters(allWords(after.table))).toEqual(letters(stayed))
      const turns = (all: { endsTurn: boolean }[]) => all.filter(({ endsTurn }) => endsTurn).length
      expect(turns(allWords(after.table))).toBeLessThanOrEqual(turns(allWords(before.table)))
      expect(allWords(applyOperation(after, invertOperation(operation)).table)).toEqual(allWords(before.table))
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type WordRange, withRanges } from '../../../text/word-ranges.ts'
import { changeOfText, changeOfWords, mergeWithPrevious, splitBefore } from '../edit/changes.ts'
import { applyOperation, type WordChange } from '../edit/operation.ts'
import { Blocks } from '../model/blocks.ts'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import type { WordTable } from '../model/word-table.ts'
import { changedTurns, countTurns, nextUnchecked, rangeOfTurn } from './turns.ts'

const textOf = (table: WordTable) => ({ table, blocks: Blocks.of(table) })

const after = (table: WordTable, change: WordChange | null): WordTable =>
  change === null ? table : applyOperation({ table, names: [] }, { label: '', changes: [change], names: null }).table

/** The words of each turn. */
function turnsOf(table: WordTable): [number, number][] {
  const turns: [number, number][] = []
  for (let word = 0, from = 0; word < table.count; word++) {
    if (!table.endsTurn(word) && word < table.count - 1) continue
    turns.push([from, word + 1])
    from = word + 1
  }
  return turns
}

const checkedTurns = (table: WordTable, checked: readonly WordRange[]) => {
  const { checked: count, turns } = countTurns(textOf(table), checked)
  return `${count} of ${turns}`
}

test('checking one unchecked turn after another checks each exactly once, whatever was typed', () => {
  const turn = fc.array(fc.constantFrom('a', 'b', 'c.'), { minLength: 1, maxLength: 5 }).map((all) => all.join(' '))
  const typing = fc.record({ at: fc.nat(9), words: fc.array(fc.constantFrom('x', 'y'), { maxLength: 3 }) })
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 8 }), fc.array(typing, { maxLength: 4 }), (turns, typed) => {
      let table = tableOf(wordsOf(turns.join('|')))
      for (const { at, words } of typed) {
        const place = turnsOf(table).at(at % turns.length)
        if (place !== undefined) table = after(table, changeOfText(table, ...place, words.join(' ')))
      }
      const text = textOf(table)
      let checked: WordRange[] = []
      for (let steps = 0; steps <= turns.length; steps++) {
        const next = nextUnchecked(text, checked, 0)
        if (next === null) break
        const { from, end } = text.blocks.turnOf(next)
        checked = withRanges(checked, [rangeOfTurn(table, from, end)])
      }
      expect(nextUnchecked(text, checked, 0)).toBeNull()
      const { checked: count, turns: all } = countTurns(text, checked)
      expect(count).toBe(all)
    }),
  )
})

test('both halves of a checked turn are checked; merged with an unchecked one, it is not', () => {
  const table = tableOf(wordsOf('one two three four|five six|seven'))
  const checked: WordRange[] = [[0, 4]]
  expect(checkedTurns(table, checked)).toBe('1 of 3')
  const split = after(table, splitBefore(table, 2))
  expect(checkedTurns(split, checked)).toBe('2 of 4')
  const joined = after(table, mergeWithPrevious(table, 4, 6))
  expect(checkedTurns(joined, checked)).toBe('0 of 2')
})

test('a turn stays checked when it is corrected, and what was typed before it does not count', () => {
  const table = tableOf(wordsOf('one two|three four'))
  const corrected = after(table, changeOfText(table, 2, 4, 'Anew three four five'))
  expect(checkedTurns(corrected, [[2, 4]])).toBe('1 of 2')
  expect(rangeOfTurn(corrected, 2, 6)).toEqual([2, 4])
})

test('a fully typed turn represents the words that it replaced', () => {
  const table = tableOf(wordsOf('one two|three four|five'))
  const replaced = after(table, changeOfText(table, 2, 4, 'wholly other words'))
  expect(rangeOfTurn(replaced, 2, 5)).toEqual([2, 4])
  const last = after(table, changeOfText(table, 4, 5, 'Bye'))
  expect(rangeOfTurn(last, 4, 5)).toEqual([3, 4])
  const first = after(table, changeOfText(table, 0, 2, 'Well'))
  expect(rangeOfTurn(first, 0, 1)).toEqual([0, 2])
})

test('the next unchecked turn is searched for after the current one, then from the start', () => {
  const text = textOf(tableOf(wordsOf('one|two|three|four')))
  expect(nextUnchecked(text, [[2, 3]], 2)).toBe(3)
  expect(nextUnchecked(text, [[1, 4]], 2)).toBe(0)
  expect(nextUnchecked(text, [[0, 4]], 2)).toBeNull()
})

test('a change of text is one of its turns only, and speakers, confidence and ends of turns are not text', () => {
  const table = tableOf(wordsOf('a b c|d e f|g h i'))
  const changed = (change: WordChange | null) =>
    change && changedTurns(textOf(table), textOf(after(table, change)), [change])
  expect(changed(changeOfText(table, 3, 6, 'd x f'))).toContainEqual([3, 6])
  for (const range of changed(changeOfText(table, 3, 6, 'd e f g')) ?? []) expect(range).toEqual([3, 6])
  // Without its last word, and without any word.
  expect(changed(changeOfText(table, 3, 6, 'd e'))).toEqual([[3, 6]])
  expect(changed(changeOfText(table, 3, 6, ''))).toEqual([[3, 6]])
  expect(changed(changeOfWords(table, 3, 6, () => ({ conf: 0.5, speaker: 7 })))).toEqual([])
  for (const change of [splitBefore(table, 4), mergeWithPrevious(table, 3, 6)]) expect(changed(change)).toEqual([])
})

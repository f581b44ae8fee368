import { expect, test } from 'vitest'
import type { CorrectionSet, CueEdit } from '../../../contract/account/corrections.ts'
import { changeOfText } from '../edit/changes.ts'
import { applyOperation } from '../edit/operation.ts'
import { makeSet } from '../edit/patches.ts'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import { compareVersions, isOnlySurer } from './compare-versions.ts'

const table = tableOf(wordsOf('the fundation stones of|the old mill by the harbour'))
const base = { table, names: ['Ann', 'Bob'], fingerprint: 'f' }

/** The corrections of a user who retyped these places. */
function typed(places: readonly [from: number, to: number, text: string][], names = base.names): CorrectionSet {
  let now = { table, names: base.names as readonly string[] }
  for (const [from, to, text] of [...places].reverse()) {
    const change = changeOfText(now.table, from, to, text)
    if (change !== null) now = applyOperation(now, { label: 'Typing', changes: [change], names: null })
  }
  return makeSet(base, { table: now.table, names })
}

test('two versions are compared word by word: each difference, with the surrounding words', () => {
  const earlier = typed([
    [1, 2, 'foundation'],
    [5, 6, 'ancient'],
  ])
  const now = typed(
    [
      [1, 2, 'foundation'],
      [5, 7, 'water mill'],
      [8, 8, 'quiet'],
    ],
    ['Ann', 'Robert'],
  )
  expect(compareVersions(table, earlier, now)).toEqual({
    differences: [
      {
        startSeconds: table.startOf(5),
        before: 'fundation stones of the',
        earlier: 'ancient',
        now: 'water',
        after: 'mill by the harbour',
      },
      { startSeconds: table.startOf(8), before: 'the old mill by', earlier: '', now: 'quiet', after: 'the harbour' },
    ],
    renamed: [{ earlier: 'Bob', now: 'Robert' }],
  })
  expect(compareVersions(table, now, now)).toEqual({ differences: [], renamed: [] })
})

test('a retimed caption is shown as times, not as the same words twice', () => {
  const timed = (cue: CueEdit): CorrectionSet => {
    const changes = [{ at: 1, removed: [table.word(1)], inserted: [{ ...table.word(1), cue }] }]
    return makeSet(base, applyOperation(base, { label: 'Caption', changes, names: null }))
  }
  const [retimed] = compareVersions(table, typed([]), timed({ whole: true, start: 3.4, end: 5.25 })).differences
  expect(retimed).toMatchObject({
    earlier: 'fundation',
    now: 'fundation',
    retimed: { earlier: 'automatic', now: '0:03.40 to 0:05.25, begun by hand' },
  })
  const [moved] = compareVersions(table, timed({ end: 5.25 }), timed({ end: 6, top: true })).differences
  expect(moved?.retimed).toEqual({ earlier: 'automatic to 0:05.25', now: 'automatic to 0:06.00, at the top' })
})

test('a doubt that was said to be right is no change of words; another speaker or turn is one', () => {
  const as = (what: Partial<ReturnType<typeof table.word>>): CorrectionSet => {
    const changes = [{ at: 1, removed: [table.word(1)], inserted: [{ ...table.word(1), ...what }] }]
    return makeSet(base, applyOperation(base, { label: 'Looks right', changes, names: null }))
  }
  const place = { from: 1, to: 2 }
  const differs = (now: CorrectionSet) => !isOnlySurer(table, typed([]), now, place)
  expect(compareVersions(table, typed([]), as({ conf: 1 })).differences).toHaveLength(1)
  expect(differs(as({ conf: 1 }))).toBe(false)
  expect(differs(as({ conf: 1, speaker: 1 }))).toBe(true)
  expect(differs(as({ conf: 1, endsTurn: true }))).toBe(true)
  expect(differs(typed([[1, 2, 'foundation']]))).toBe(true)
})

test('versions of 100,000 words with 5,000 corrections each are compared correctly', () => {
  const long = tableOf(wordsOf(Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(' ')))
  const patch = (at: number, text: string) => ({
    from: at,
    to: at + 1,
    startSeconds: at,
    old: [`w${at}`],
    before: [],
    after: [],
    words: [{ text, start: at, end: at, conf: 1, endsTurn: false, speaker: -1, old: -1 }],
  })
  const version = (text: (index: number) => string): CorrectionSet => ({
    fingerprint: 'f',
    baseNames: [],
    names: [],
    patches: Array.from({ length: 5_000 }, (_, index) => patch(index * 20, text(index))),
  })
  const { differences } = compareVersions(
    long,
    version((index) => `x${index}`),
    version((index) => (index % 2 === 0 ? `x${index}` : 'other')),
  )
  expect(differences).toHaveLength(2_500)
  expect(differences[0]).toMatchObject({ earlier: 'x1', now: 'other' })
})

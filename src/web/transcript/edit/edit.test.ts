import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allWords, tableOf, wordsOf } from '../model/testing/made-words.ts'
import { newWord, type Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import {
  addTurnAfter,
  changeOfText,
  changeOfWords,
  changeToWords,
  mergeWithPrevious,
  splitBefore,
  wordsOfText,
} from './changes.ts'
import { moveOperation } from './move-operation.ts'
import { applyOperation, invertOperation, type Operation, type WordChange } from './operation.ts'
import { makeSet } from './patches.ts'
import { reapply } from './reapply.ts'
import { retime } from './retime.ts'

const token = fc.constantFrom('a', 'b', 'cc', 'dd', 'eee', 'f.', '<b>', 'שלום', '你')
const text = fc.array(token, { minLength: 1, maxLength: 25 }).map((words) => words.join(' '))
const unnamed = (table: WordTable, fingerprint = 'v2') => ({ table, names: [], fingerprint })
const typing = (label: string, changes: Operation['changes']): Operation => ({ label, changes, names: null })

test('typing keeps the times of unchanged words, and new ones are in order between their neighbors', () => {
  fc.assert(
    fc.property(text, fc.array(token, { maxLength: 25 }), (before, texts) => {
      const old = wordsOf(before)
      const now = retime(old, texts, { from: 0, to: 100 })
      expect(now.map((word) => word.text)).toEqual(texts)
      let last = 0
      for (const word of now) {
        expect(word.start).toBeGreaterThanOrEqual(last - 1e-9)
        expect(word.end).toBeGreaterThanOrEqual(word.start)
        last = word.end
        if (word.origin >= 0)
          expect(word).toMatchObject({ start: old[word.origin]?.start, text: old[word.origin]?.text })
      }
      const origins = now.map((word) => word.origin).filter((origin) => origin >= 0)
      expect(origins).toEqual([...new Set(origins)].sort((a, b) => a - b))
    }),
  )
})

test('a replacement takes the time of the replaced word; a longer text divides it by letters', () => {
  const old = wordsOf('the fundation stones')
  const [, typed] = retime(old, ['the', 'foundation', 'stones'], { from: 0, to: 9 })
  expect(typed).toMatchObject({ text: 'foundation', start: 0.5, end: 0.9, conf: 1, origin: -1 })
  const [, one, two] = retime(old, ['the', 'ab', 'cdef', 'stones'], { from: 0, to: 9 })
  expect(one?.start).toBeCloseTo(0.5)
  expect(one?.end).toBeCloseTo(0.5 + 0.4 / 3)
  expect(two?.end).toBeCloseTo(0.9)
})

test('words typed over a whole turn of 20 s stay on the sound, and its pauses stay silent', () => {
  // Spoken at 12 to 18 letters a second, with a pause after every sixth word.
  const spoken: Word[] = []
  let now = 0
  for (let index = 0; now < 20; index++) {
    const text = 'abcdefghij'.slice(0, 2 + ((index * 7) % 9))
    const start = now + (index % 6 === 5 ? 0.5 + (index % 4) * 0.3 : 0.04)
    now = start + text.length / (12 + (index % 7))
    spoken.push({ ...newWord, text, start, end: now })
  }
  const heard = spoken.map((word, index) => ({ ...word, text: `?${index}` }))
  const typed = retime(
    heard,
    spoken.map(({ text }) => text),
    { from: 0, to: now },
  )
  const offs = typed.map(({ start }, index) => Math.abs(start - (spoken[index]?.start ?? 0)))
  expect(Math.max(...offs)).toBeLessThanOrEqual(0.5)
  const pauses = spoken.flatMap(({ end }, index) => {
    const next = spoken[index + 1]?.start ?? end
    return next - end > 0.4 ? [(next + end) / 2] : []
  })
  expect(pauses.length).toBeGreaterThan(3)
  for (const pause of pauses) expect(typed.filter(({ start, end }) => start < pause && pause < end)).toEqual([])
})

test('a word of nonsense that is typed elsewhere in the turn draws no other word off the sound', () => {
  const spoken: Word[] = []
  for (let index = 0, now = 0; now < 20; index++) {
    const text = index % 7 === 0 ? 'the' : `abecidofu${'zyxwvutsrq'[index % 10]}`.slice(-2 - ((index * 5) % 7))
    const end = now + text.length / (12 + (index % 5))
    spoken.push({ ...newWord, text, start: now, end })
    now = end + 0.04
  }
  const heard = spoken.map((word, index) => ({ ...word, text: index % 7 === 3 ? 'the' : `?${word.text}` }))
  const gap = { from: 0, to: spoken.at(-1)?.end ?? 0 }
  const texts = spoken.map(({ text }) => text)
  const offs = retime(heard, texts, gap).map(({ start }, index) => Math.abs(start - (spoken[index]?.start ?? 0)))
  expect(Math.max(...offs)).toBeLessThanOrEqual(0.5)
  // Two corrections a word apart leave that word alone.
  const two = retime(
    spoken,
    texts.map((text, index) => (index === 20 || index === 22 ? 'other' : text)),
    gap,
  )
  expect(two[21]).toEqual(spoken[21])
  // And so does cutting out most of what is around it.
  const cut = [...texts.slice(0, 5), texts[20] ?? '', 'other', ...texts.slice(40)]
  expect(retime(spoken, cut, gap)[5]).toEqual(spoken[20])
})

test('the words of a turn of hours keep their times if one in ten is retyped', () => {
  const old = wordsOf(Array.from({ length: 60_000 }, (_, index) => `w${index % 900}`).join(' '))
  const now = retime(
    old,
    old.map(({ text }, index) => (index % 10 === 5 ? `x${index}` : text)),
    { from: 0, to: 30_000 },
  )
  expect(now.filter(({ origin }, index) => origin === index)).toHaveLength(54_000)
})

test('any sequence of edits is undone exactly by its inverses in reverse order', () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(8), fc.array(token, { maxLength: 6 })), { maxLength: 8 })
  fc.assert(
    fc.property(text, edits, (before, wanted) => {
      const start = { table: tableOf(wordsOf(before)), names: [] }
      const done: Operation[] = []
      let now: ReturnType<typeof applyOperation> = start
      for (const [at, length, texts] of wanted) {
        if (now.table.count === 0) break
        const from = at % now.table.count
        const change = changeOfText(now.table, from, Math.min(now.table.count, from + length), texts.join(' '))
        if (change === null) continue
        done.push(typing('Typing', [change]))
        now = applyOperation(now, done.at(-1) as Operation)
      }
      for (const operation of done.reverse()) now = applyOperation(now, invertOperation(operation))
      expect(allWords(now.table)).toEqual(allWords(start.table))
    }),
  )
})

test('patches applied to the same version reproduce the corrected text', () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(5), fc.array(token, { maxLength: 5 }), fc.boolean()), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(text, edits, (before, wanted) => {
      const base = tableOf(wordsOf(before))
      let now: ReturnType<typeof applyOperation> = { table: base, names: [] }
      for (const [at, length, texts, split] of wanted) {
        if (now.table.count === 0) break
        const from = at % now.table.count
        const to = Math.min(now.table.count, from + length)
        const change = split ? splitBefore(now.table, from) : changeOfText(now.table, from, to, texts.join(' '))
        if (change !== null) now = applyOperation(now, typing('', [change]))
      }
      const set = makeSet(unnamed(base, 'v1'), now)
      const again = reapply(unnamed(base, 'v1'), JSON.parse(JSON.stringify(set)))
      expect(again.conflicts).toEqual([])
      expect(allWords(again.table)).toEqual(allWords(now.table))
    }),
  )
})

const corrected = (base: ReturnType<typeof tableOf>, from: number, to: number, typed: string) => {
  const change = changeOfText(base, from, to, typed)
  const { table } = applyOperation({ table: base, names: [] }, typing('', change === null ? [] : [change]))
  return makeSet(unnamed(base, 'v1'), { table, names: [] })
}

test('a correction still applies to a newer version with words inserted before its place', () => {
  const set = corrected(tableOf(wordsOf('see the fundation stones when the water is low')), 2, 3, 'foundation')
  const newer = tableOf(wordsOf('Well, you can see the fundation stones when the water is low'))
  const again = reapply(unnamed(newer), set)
  expect(again.conflicts).toEqual([])
  expect(again.table.slice(0, again.table.count)).toBe('Well, you can see the foundation stones when the water is low')
})

test('a place that the newer version also changed is a conflict with both texts', () => {
  const set = corrected(tableOf(wordsOf('you can see the fundation stones when it is low')), 4, 5, 'foundation')
  const newer = tableOf(wordsOf('you can see the fun day shun stones when it is low'))
  const again = reapply(unnamed(newer), set)
  expect(again.table).toBe(newer)
  expect(again.conflicts.map(({ place }) => place)).toEqual([{ from: 4, to: 7 }])
  const gone = reapply(unnamed(tableOf(wordsOf('all other words'))), set)
  expect(gone.conflicts.map(({ place }) => place)).toEqual([null])
})

test('renamed and added speakers are found by their old names in a newer version', () => {
  const base = tableOf(wordsOf('hello there|good morning', (_, index) => ({ speaker: index < 2 ? 0 : 1 })))
  const newer = tableOf(wordsOf('hello there|good morning', (_, index) => ({ speaker: index < 2 ? 1 : 0 })))
  const set = { ...corrected(base, 0, 1, 'Hello'), baseNames: ['Ann', 'Bob'], names: ['Ann Lee', 'Bob', 'Cy'] }
  const again = reapply({ ...unnamed(newer), names: ['Bob', 'Ann'] }, set)
  expect(again.names).toEqual(['Bob', 'Ann Lee', 'Cy'])
  expect(again.table.speakers[0]).toBe(1)
})

test('of two speakers with one name, only the renamed one gets another', () => {
  const base = tableOf(wordsOf('hello there|good morning', (_, index) => ({ speaker: index < 2 ? 0 : 1 })))
  const set = { ...corrected(base, 2, 3, 'Good'), baseNames: ['Ann', 'Ann'], names: ['Ann', 'Bob'] }
  const again = reapply({ ...unnamed(base, 'v1'), names: ['Ann', 'Ann'] }, set)
  expect(again.names).toEqual(['Ann', 'Bob'])
  expect(again.table.speakers[2]).toBe(1)
})

test('splitting and merging a turn, and removing a whole one', () => {
  const table = tableOf(wordsOf('one two three|four five', (_, index) => ({ speaker: index < 3 ? 0 : 1 })))
  const after = (change: ReturnType<typeof splitBefore>) =>
    applyOperation({ table, names: [] }, typing('', change === null ? [] : [change])).table
  expect(after(splitBefore(table, 1)).slice(0, 5)).toBe('one\ntwo three\nfour five')
  expect(splitBefore(table, 0)).toBeNull()
  expect(splitBefore(table, 3)).toBeNull()
  const merged = after(mergeWithPrevious(table, 3, 5))
  expect(merged.slice(0, 5)).toBe('one two three four five')
  expect([...merged.speakers.subarray(0, 5)]).toEqual([0, 0, 0, 0, 0])
  expect(after(changeOfText(table, 1, 3, '  ')).slice(0, 3)).toBe('one\nfour five')
  expect(changeOfText(table, 0, 3, ' one  two three ')).toBeNull()
  expect(wordsOfText(' a\n b\u3000c ')).toEqual(['a', 'b', 'c'])
})

test('a turn without words is added after another, with its speaker, in the time that is left', () => {
  const table = tableOf(wordsOf('one two|three', (_, index) => ({ speaker: index < 2 ? 0 : 1 })))
  const after = (word: number, endsAt: number | null) => {
    const now = applyOperation({ table, names: [] }, typing('', [addTurnAfter(table, word, endsAt)])).table
    const { start, end, speaker } = now.word(word + 1)
    return { text: now.slice(0, 4), start, end, speaker }
  }
  const between = { text: 'one two\n…\nthree', start: 0.7, end: 1, speaker: 0 }
  expect(after(1, null), 'a tenth of a second is too little: half of the word before is added').toEqual(between)
  expect(after(2, 9)).toEqual({ text: 'one two\nthree\n…', start: 1.4, end: 9, speaker: 1 })
  expect(after(2, 1.4), 'no later than the text may end').toMatchObject({ start: 1.2, end: 1.4 })
  expect(after(2, null)).toMatchObject({ start: 1.4, end: 2.4 })
})

test('next to other changes, a correction is located by most of its neighbors', () => {
  const base = tableOf(wordsOf('we met at the harbour talk|thank you Ann it is good'))
  const inserted = corrected(base, 6, 6, 'Really.')
  const newer = tableOf(wordsOf('we met at the harbor talk.|Thank you, Anne it is good'))
  const again = reapply(unnamed(newer), inserted)
  expect(again.conflicts).toEqual([])
  expect(again.table.slice(0, 8)).toBe('we met at the harbor talk.\nReally. Thank')
})

test('a correction whose neighbors are all gone is shown with the words spoken at its time', () => {
  const set = corrected(tableOf(wordsOf('one two three fower five six seven')), 3, 4, 'four')
  const newer = tableOf(wordsOf('a b c d e f g'))
  expect(reapply(unnamed(newer), set).conflicts.map(({ place }) => place)).toMatchObject([{ from: 3, to: 4 }])
})

test('text that the newer version already has is no conflict, and is left unchanged', () => {
  const set = corrected(tableOf(wordsOf('see the fundation stones here now')), 2, 3, 'foundation')
  const newer = tableOf(wordsOf('see the foundation stones here now'))
  expect(reapply(unnamed(newer), set)).toMatchObject({ conflicts: [], table: newer })
})

test('a correction that begins a turn also applies its turns to the newer words', () => {
  const table = tableOf(wordsOf('shall we all begin now'))
  const words = [
    { text: 'we', endsTurn: true },
    { text: 'begin', endsTurn: false },
  ]
  const change = changeToWords(table, 1, 4, words)
  const now = applyOperation({ table, names: [] }, typing('', change === null ? [] : [change])).table
  expect(now.slice(0, now.count)).toBe('shall we\nbegin now')
  expect(changeToWords(now, 1, 3, words)).toBeNull()
})

test('a speaker renamed in two tabs at once keeps the first name, and the other one is a conflict', () => {
  const table = tableOf(wordsOf('one two|three'))
  const rename = { label: 'Rename', changes: [], names: { before: ['Ann', 'Ben'], after: ['Ann', 'Bob'] } }
  const other = moveOperation(rename, table, { table, names: ['Anna', 'Ben'] })
  expect(other).toMatchObject({ moved: { names: { after: ['Anna', 'Bob'] } }, conflicts: [] })
  const same = moveOperation(rename, table, { table, names: ['Ann', 'Bill'] })
  expect(same).toMatchObject({ moved: { names: { after: ['Ann', 'Bill'] } }, conflicts: [{ speaker: 1, name: 'Bob' }] })
})

test('caption settings survive retyping its words, and are stored as a correction', () => {
  const cue = { whole: true, start: 0.75 } as const
  const base = tableOf(wordsOf('the fundation stones of'))
  const set = changeOfWords(base, 1, 2, () => ({ cue }))
  expect(set).toMatchObject({ at: 1, removed: [{ text: 'fundation' }], inserted: [{ text: 'fundation', cue }] })
  const once = applyOperation({ table: base, names: [] }, typing('Begin moved', [set as WordChange]))
  expect(changeOfWords(once.table, 0, 4, () => ({}))).toBeNull()
  const typed = changeOfText(once.table, 0, 3, 'The foundation stones')
  const { table } = applyOperation(once, typing('Typing', [typed as WordChange]))
  expect(allWords(table).map(({ text, cue: kept }) => [text, kept])).toEqual([
    ['The', cue],
    ['foundation', undefined],
    ['stones', undefined],
    ['of', undefined],
  ])
  const made = makeSet(unnamed(base), once)
  expect(made.patches).toMatchObject([{ from: 1, to: 2, words: [{ text: 'fundation', old: 0, cue }] }])
  const again = reapply(unnamed(base), made)
  expect(allWords(again.table)).toEqual(allWords(once.table))
})

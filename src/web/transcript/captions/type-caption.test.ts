import { expect, it } from 'vitest'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { buildCues, shownLines } from '../../../formats/captions/cues.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import { transcriptOfTable } from '../downloads/transcript-of-table.ts'
import { applyOperation } from '../edit/operation.ts'
import { newWord } from '../model/word.ts'
import { WordTable } from '../model/word-table.ts'
import { readTime } from './caption-text.ts'
import { typeCaption } from './type-caption.ts'

const { turns: _turns, speakers: _speakers, ...about } = sampleTranscript([])
const rules = captionStyles.parley
const say = (text: string) =>
  WordTable.from(text.split(' ').map((word, at) => ({ ...newWord, text: word, start: at / 2, end: at / 2 + 0.4 })))
const cuesOf = (table: WordTable) => [...buildCues(transcriptOfTable(table, [], about), rules)]
const linesOf = (table: WordTable) => cuesOf(table).map((cue) => shownLines(cue).join('\n'))

/** The captions after one was typed, which are those shown until then, too. */
function typed(table: WordTable, index: number, text: string, splitAt: number | null = null): string[] {
  const made = { table, cues: cuesOf(table), rules }
  const { changes, cues } = typeCaption(made, index, text, splitAt) ?? { changes: [], cues: made.cues }
  const after = linesOf(applyOperation({ table, names: [] }, { label: '', changes, names: null }).table)
  expect(cues.map((cue) => shownLines(cue).join('\n'))).toEqual(after)
  return after
}

const talk = say('The harbor was closed for a week. The ships waited outside. Nobody knew how long it would be.')

it('keeps the other captions as they are', () => {
  const before = linesOf(talk)
  expect(typed(talk, 1, 'Every ship waited outside the walls.')).toEqual([
    before[0],
    'Every ship waited outside the walls.',
    ...before.slice(2),
  ])
})

it('keeps line breaks of its own, which a line that is too long overrules', () => {
  const [first = ''] = linesOf(talk)
  const words = first.replaceAll('\n', ' ')
  expect(typed(talk, 0, words.replace(' ', '\n'))[0]).toBe(words.replace(' ', '\n'))
  expect(typed(talk, 0, `${words} and ${words.toLowerCase()}\nalas`).join(' ')).not.toContain('\nalas')
})

it('keeps the time of a caption that is made shorter, from either side', () => {
  const [, { startMs, endMs } = { startMs: 0, endMs: 0 }] = cuesOf(talk)
  for (const text of ['The ships waited.', 'Ships waited outside.']) {
    const made = { table: talk, cues: cuesOf(talk), rules }
    const { changes = [] } = typeCaption(made, 1, text, null) ?? {}
    const after = cuesOf(applyOperation({ table: talk, names: [] }, { label: '', changes, names: null }).table)
    expect(after[1]).toMatchObject({ startMs, endMs, lines: [text] })
  }
})

it('splits, and removes what is emptied', () => {
  const before = linesOf(talk)
  expect(typed(talk, 0, before[0] ?? '', 3).slice(0, 2)).toEqual(['The harbor was', 'closed for a week.'])
  expect(typed(talk, 0, ' ')).toEqual(before.slice(1))
})

it('changes nothing if the text is the same', () => {
  const made = { table: talk, cues: cuesOf(talk), rules }
  expect(typeCaption(made, 0, linesOf(talk)[0] ?? '', null)).toBeNull()
})

it.each([
  ['1:02.5', 62_500],
  ['1:02:03,4', 3_723_400],
  ['62', 62_000],
  ['', null],
  ['1:2:3:4', null],
  ['-3', null],
])('reads the time %s', (text, ms) => expect(readTime(text)).toBe(ms))

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxChangeBytes } from '../../../contract/account/corrections.ts'
import { maxPatches } from '../../../contract/interface/limits.ts'
import { renderSbv, renderSrt, renderVtt } from '../../../formats/captions/caption-files.ts'
import { captionStyles, toCaptionMs } from '../../../formats/captions/caption-rules.ts'
import { buildCues, shownLines } from '../../../formats/captions/cues.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import { captionTime } from '../../../text/clock-time.ts'
import { transcriptOfTable } from '../downloads/transcript-of-table.ts'
import { makeSet } from '../edit/patches.ts'
import { reapply } from '../edit/reapply.ts'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import type { WordTable } from '../model/word-table.ts'
import { importCaptions } from './import-captions.ts'

const { turns: _turns, speakers: _speakers, ...about } = sampleTranscript([])
const names = ['Ann', 'Bob']
const rules = captionStyles.parley
const said =
  'We walked along the old harbour wall, past the mill and the people who were waiting for the boat.|Yes, and it was late. Nobody knew how long.'
const table = tableOf(
  wordsOf(said, (_, at) => ({ start: at / 3, end: at / 3 + 0.25, speaker: at < 19 ? 0 : 1, conf: 0.9 })),
)
const transcriptOf = (of: WordTable) => transcriptOfTable(of, names, about)
const encode = (text: string) => new TextEncoder().encode(text)
const read = (bytes: Uint8Array) => importCaptions(bytes, { table, names, hasMarks: true })
const shown = (of: WordTable, by = rules) =>
  [...buildCues(transcriptOf(of), by)].map((cue) => [cue.startMs, cue.endMs, shownLines(cue).join('\n')])
const srt = (cues: readonly [string, string][]) =>
  cues.map(([times, text], at) => `${at + 1}\n${times}\n${text}\n`).join('\n')

test.each([
  ['SRT', renderSrt],
  ['SBV', renderSbv],
  ['VTT', renderVtt],
])('our own %s comes back as it was: captions, times, words and speakers', (_, render) => {
  for (const by of [rules, captionStyles.dcmp]) {
    const file = [...render(transcriptOf(table), by)].join('')
    const { table: after, different, removedWords, tidied } = read(encode(file))
    expect([different, removedWords]).toEqual([[], 0])
    expect(Object.values(tidied)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(shown(after, by)).toEqual(shown(table, by))
    expect(after.words(0, after.count).map((word) => ({ ...word, cue: undefined }))).toEqual(
      table.words(0, table.count),
    )
  }
})

test('captions that were stretched come back at the times of the file', () => {
  const by = { ...rules, timing: { stretch: 1.0427, shiftSeconds: 2 } }
  const { table: after, different } = read(encode([...renderSrt(transcriptOf(table), by)].join('')))
  expect(different).toEqual([])
  expect(shown(after)).toEqual(shown(table, by))
})

const odd = srt([
  ['00:00:00,100 --> 00:00:02,000', '<i>We walked along</i> the very old harbour wall that nobody had seen before'],
  ['00:00:02,500 --> 00:00:05,000', '{\\an8}past the mill\nand the people\nwho'],
  ['00:00:04,000 --> 00:00:06,000', 'were waiting for the boat.'],
  ['00:00:06,500 --> 00:00:08,000', '- Yes, and it was late.\n- Nobody knew'],
  ['00:00:09,000 --> 00:00:08,500', 'how long.'],
  ['00:00:10,000 --> 00:00:11,000', '<b></b>'],
  ['00:00:12,xx --> nonsense', 'lost'],
  ['00:00:20,000 --> 01:20:00,000', 'An hour long.'],
])

test('captions keep times, breaks and place even if they break the rules; what is odd is counted', () => {
  const { table: after, different, tidied, badLines, hasMarkup, removedWords } = read(encode(odd))
  expect(shown(after)).toEqual([
    [100, 2_000, '- We walked along the very old harbour wall that nobody had seen before'],
    [2_500, 4_000, 'past the mill\nand the people\nwho'],
    [4_000, 6_000, 'were waiting for the boat.'],
    [6_500, 8_000, '- Yes, and it was late.\n- Nobody knew'],
    [9_000, 11_000, 'how long.'],
    [20_000, 4_800_000, 'An hour long.'],
  ])
  expect([...buildCues(transcriptOf(after))].map(({ edit }) => edit?.top)[1]).toBe(true)
  expect(different.map(({ text }) => text)).toEqual([
    'We walked along the very old harbour wall that nobody had seen before',
    'how long.',
    'An hour long.',
  ])
  expect(tidied).toMatchObject({ empty: 1, overlapping: 1, endless: 1, long: 1, joined: 0, backwards: 0 })
  expect([badLines, hasMarkup, removedWords]).toEqual([[29], true, 0])
})

test('captions at one time become one, those out of order are sorted, and no word is lost', () => {
  const cues = srt([
    ['00:00:05,000 --> 00:00:06,000', 'two'],
    ['00:00:01,000 --> 00:00:02,000', 'one'],
    ['00:00:05,020 --> 00:00:07,000', 'at once'],
    ['00:00:08,000 --> 00:00:09,000', 'a\nb\nc\nd'],
  ])
  const { table: after, tidied } = read(encode(cues))
  expect(shown(after).slice(0, 2)).toEqual([
    [1_000, 2_000, 'one'],
    [5_000, 7_000, 'two\nat once'],
  ])
  expect(tidied).toMatchObject({ backwards: 1, joined: 1, dense: 1 })
  expect(after.slice(0, after.count).split(/\s/)).toEqual(['one', 'two', 'at', 'once', 'a', 'b', 'c', 'd'])
})

const edited = fc.record({
  length: fc.integer({ min: 1, max: 7 }),
  earlierMs: fc.integer({ min: -600, max: 900 }),
  laterMs: fc.integer({ min: -300, max: 1_500 }),
  inserted: fc.constantFrom('', '', 'although', 'we had so many'),
})
const timings = fc.constantFrom(undefined, { stretch: 1.0848, shiftSeconds: 0 }, { stretch: 0.95, shiftSeconds: 1.5 })

test('word times rise in all captions, and no word overlaps the next', () => {
  const property = fc.property(fc.array(edited, { minLength: 1, maxLength: 12 }), timings, (captions, timing) => {
    const by = { ...rules, timing }
    let from = 0
    const cues = captions.flatMap(({ length, earlierMs, laterMs, inserted }): [string, string][] => {
      const words = table.words(from, Math.min(table.count, from + length))
      from += length
      const [first, last] = [words[0], words.at(-1)]
      if (first === undefined || last === undefined) return []
      const start = Math.max(0, toCaptionMs(first.start, by) - earlierMs)
      const end = Math.max(start + 40, toCaptionMs(last.end, by) + laterMs)
      const text = [first.text, inserted, ...words.slice(1).map(({ text }) => text)].join(' ')
      return [[`${captionTime(start, ',', 2)} --> ${captionTime(end, ',', 2)}`, text]]
    })
    const after = read(encode(srt(cues))).table
    const words = after.words(0, after.count)
    for (const [at, { text, start, end }] of words.entries()) {
      const next = words[at + 1]?.start ?? Number.POSITIVE_INFINITY
      expect(start < next && start <= end && end <= next, `${text}: ${start} to ${end}, then ${next}`).toBe(true)
    }
  })
  fc.assert(property)
})

test('an inserted word takes the time between its neighbors, which keep theirs', () => {
  const file = srt([['00:00:00,000 --> 00:00:05,000', 'We walked right along the old harbour wall,']])
  const { table: after } = read(encode(file))
  const [, walked, right, along] = after.words(0, 4)
  expect([walked, along]).toMatchObject([table.word(1), table.word(2)].map(({ start, end }) => ({ start, end })))
  expect(right).toMatchObject({ start: walked?.end, end: along?.start })
})

const cafe = srt([['00:00:01,000 --> 00:00:02,000', 'Café — “naïve”']])
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer)
test.each([
  ['UTF-8', encode(`\ufeff${cafe}`)],
  ['UTF-16', utf16(`\ufeff${cafe}`)],
  ['UTF-16', utf16(cafe)],
  ['UTF-16', utf16(`\ufeff${cafe}`).map((_, at, all) => all[at ^ 1] ?? 0)],
  ['Windows-1252', Uint8Array.from(cafe, (unit) => ({ '—': 0x97, '“': 0x93, '”': 0x94 })[unit] ?? unit.charCodeAt(0))],
])('reads %s', (encoding, bytes) => {
  const { table: after, ...about } = read(bytes)
  expect([about.encoding, after.slice(0, after.count)]).toEqual([encoding, 'Café — “naïve”'])
})

test('a file without captions is refused in words', () => {
  expect(() => read(encode('Dear all,\n\nplease find attached …'))).toThrow(/No captions were found/)
  expect(() => read(new Uint8Array())).toThrow(/No captions were found/)
})

test('12,000 captions fit in one change, and come back as they were', () => {
  const words = 'a harbour of old stones and people who waited'.split(' ')
  const long = tableOf(
    wordsOf(`${words.join(' ')} `.repeat(12_000).trim(), (_, at) => {
      return { start: at / 3, end: at / 3 + 0.25, speaker: 0, conf: 0.9 }
    }),
  )
  const at = (ms: number) => captionTime(ms, ',', 2)
  const file = srt(
    Array.from({ length: 12_000 }, (_, cue) => {
      const text = words.join(' ').replace('old', cue % 2 === 0 ? 'new' : 'old')
      return [`${at(cue * 3_000)} --> ${at(cue * 3_000 + 2_900)}`, text]
    }),
  )
  const { table: after, different } = importCaptions(encode(file), { table: long, names, hasMarks: false })
  expect(different.length).toBe(6_000)
  expect([...renderSrt(transcriptOf(after))].join('').trim()).toBe(file.trim())
  const base = { table: long, names, fingerprint: 'a' }
  const set = makeSet(base, { table: after, names })
  expect(set.patches.length).toBeLessThan(maxPatches)
  expect(JSON.stringify(set).length).toBeLessThan(maxChangeBytes)
  const again = reapply(base, set).table
  expect(again.words(0, 900)).toEqual(after.words(0, 900))
})

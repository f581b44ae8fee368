import fc from 'fast-check'
import { type OrderOptions, specDefaultOptions } from '../../contract/interface/option-values.ts'
import type { WordRecord } from '../../contract/interface/words.ts'
import type { Transcript, Turn } from '../../text/transcript.ts'

/** For tests and benches: transcripts with known words. */

/** Words of a sentence, 0.3 s each with gaps of 0.1 s, from a start time on. */
export function spokenWords(text: string, startSeconds: number): WordRecord[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, index) => {
      const start = Math.round((startSeconds + index * 0.4) * 1_000) / 1_000
      const end = Math.round((start + 0.3) * 1_000) / 1_000
      return { word, start, end, duration: 0.3, conf: 0.9 }
    })
}

/** A finished transcript of consecutive `[speaker, text]` turns with a second between. */
export function sampleTranscript(
  said: readonly (readonly [speaker: string, text: string])[],
  options: Partial<OrderOptions> = {},
): Transcript {
  const speakers = [...new Set(said.map(([speaker]) => speaker))]
  let at = 0
  const turns = said.map(([speaker, text]): Turn => {
    const words = spokenWords(text, at)
    at = (words.at(-1)?.end ?? at) + 1
    return { speaker: speakers.indexOf(speaker), words }
  })
  return {
    title: 'Board meeting',
    speakers,
    turns,
    options: { ...specDefaultOptions, ...options },
    created: '2026-11-21T09:30:00.000Z',
    durationMs: Math.round(at * 1_000),
    progressPercent: 100,
  }
}

/** Text that is hard for formats: scripts, directions, joined and combined characters, markup, controls. */
export const trickyTexts = {
  latin: 'Müller said “naïve café” – 50 € for Łódź, señor.',
  greekAndCyrillic: 'Ελληνικά και Русский язык.',
  hebrew: 'שלום, זה מבחן 123 של הטקסט.',
  arabic: 'مرحبا بكم في الاجتماع رقم 45.',
  mixedDirections: 'He said שלום עולם twice (2×), then left.',
  cjk: '会議は十時に始まります。 我们 开始 吧',
  emoji: 'Great 👍🏽 work 👨‍👩‍👧 everyone 🎉',
  combining: 'e\u0301 n\u0303 o\u0308\u0304 क्षि Việt',
  markup: '<b>bold</b> & "quoted" {\\an8} --> ]]> </w:t> # *star* _low_ [link](x)',
  controls: 'a\u0000b\u0007c\u001bd\u2028e\ufffef',
  halfPair: 'broken \ud83d pair',
} as const

const name = fc.oneof(
  fc.constantFrom(
    'Ann Baker',
    'Alan Brown',
    'Anna Baker',
    'Bob',
    'Speaker 1',
    'Speaker 12',
    'Jean-Luc Picard',
    'Łukasz Żuk',
  ),
  fc.stringMatching(/^[A-Z][a-z]{0,6}( [A-Z][a-z]{0,6}){0,2}$/),
)
const word = fc.oneof(
  fc.constantFrom(
    'yes,',
    'No.',
    'um',
    'color',
    'the',
    'the',
    '12:30',
    'Ann:',
    '-----',
    '会議は',
    'שלום',
    '👍🏽',
    '<b>',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  fc.string({ minLength: 40, maxLength: 120 }),
)
const time = fc.oneof(fc.double({ min: 0, max: 90_000, noNaN: true }), fc.constant(0))
const wordRecord: fc.Arbitrary<WordRecord> = fc
  .record({
    word,
    start: time,
    length: fc.double({ min: 0, max: 9, noNaN: true }),
    conf: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ length, ...record }) => ({ ...record, end: record.start + length, duration: length }))

/** Arbitrary options that shape a transcript. */
const anyOptions: fc.Arbitrary<OrderOptions> = fc.record({
  ...Object.fromEntries(Object.entries(specDefaultOptions).map(([key, value]) => [key, fc.constant(value)])),
  time_coding: fc.constantFrom('on', 'off'),
  speaker_tracking: fc.constantFrom('on', 'off'),
  speaker_tracking_format: fc.constantFrom('initials', 'full names'),
  transcript_template: fc.constantFrom(
    'service single line spaced',
    'service double line spaced',
    'blank single line spaced',
    'blank double line spaced',
  ),
}) as fc.Arbitrary<OrderOptions>

/** Arbitrary transcripts, including wild times and words; `sorted`: times increase, as engines give them. */
export function anyTranscript({ sorted }: { sorted: boolean }): fc.Arbitrary<Transcript> {
  return fc
    .record({
      speakers: fc.uniqueArray(name, { minLength: 1, maxLength: 5 }),
      turns: fc.array(fc.tuple(fc.nat(4), fc.array(wordRecord, { minLength: 1, maxLength: 30 })), { maxLength: 12 }),
      options: anyOptions,
    })
    .map(({ speakers, turns, options }) => ({
      ...sampleTranscript([]),
      speakers,
      options: { ...options, speaker_names: speakers },
      turns: sorted
        ? runForward(turns.map(([speaker, words]) => ({ speaker: speaker % speakers.length, words })))
        : turns.map(([speaker, words]) => ({ speaker: speaker % speakers.length, words })),
    }))
}

/** The same words in sequence, each with its duration, up to half a second apart. */
function runForward(turns: readonly Turn[]): Turn[] {
  let at = 0
  return turns.map(({ speaker, words }) => ({
    speaker,
    words: words.map((record) => {
      const start = at + (record.start % 0.5)
      const end = start + Math.min(record.duration, 2)
      at = end
      return { ...record, start, end, duration: end - start }
    }),
  }))
}

import fc from 'fast-check'
import { type OrderOptions, specDefaultOptions } from '../../contract/interface/option-values.ts'
import type { WordRecord } from '../../contract/interface/words.ts'
import type { Transcript, Turn } from '../../text/transcript.ts'
import { anyTranscript, sampleTranscript, trickyTexts } from './sample-transcripts.ts'

/** For tests: a deterministic corpus of all kinds of transcripts that formats must handle. */

const sentences = [
  'We walked along the old harbour wall, past the mill and the people who were waiting for the boat.',
  'Yes.',
  'I do not think that anybody who was there would say so, but it is what the minutes of the meeting say.',
  'So, how would you describe it?',
  'Well, in the spring of 1971 my mother and her sister bought the house at the end of the road, and we moved in.',
  'No, never!',
  'The committee decided to postpone the decision until the figures of the second quarter were available.',
  'And then?',
  'Then it rained for a week and nobody came.',
]

type Pace = { wordSeconds: number; gapSeconds: number; turnGapSeconds: number }
const calm: Pace = { wordSeconds: 0.42, gapSeconds: 0.05, turnGapSeconds: 0.6 }

/** Words at a given pace, one turn after the other. */
function spoken(said: readonly (readonly [speaker: number, text: string])[], pace: Pace, speakers: readonly string[]) {
  let at = 0
  const turns = said.map(([speaker, text]): Turn => {
    const words: WordRecord[] = []
    for (const word of text.split(' ')) {
      const start = round(at)
      const end = round(at + pace.wordSeconds)
      words.push({ word, start, end, duration: round(end - start), conf: 0.9 })
      at = end + pace.gapSeconds
    }
    at += pace.turnGapSeconds
    return { speaker, words }
  })
  return { ...sampleTranscript([]), speakers, turns, durationMs: Math.round(at * 1_000) }
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}

/** A conversation with this many people and turns. */
function conversation(people: number, turns: number, pace: Pace = calm, options: Partial<OrderOptions> = {}) {
  const speakers = Array.from({ length: people }, (_, index) => `Speaker ${index + 1}`)
  const said = Array.from({ length: turns }, (_, turn) => {
    return [turn % people, sentences[(turn * 4) % sentences.length] ?? ''] as const
  })
  return { ...spoken(said, pace, speakers), options: { ...specDefaultOptions, ...options } }
}

const alone = (text: string, pace: Pace = calm) => spoken([[0, text]], pace, ['Ann Baker'])

/** Over forty transcripts, by what is special about them. */
export function corpus(): ReadonlyMap<string, Transcript> {
  const { halfPair: _, ...texts } = trickyTexts
  const made: [string, Transcript][] = [
    ...[1, 2, 3, 4, 5, 8].map((people): [string, Transcript] => [`${people} people`, conversation(people, 24)]),
    ['200 speakers', conversation(200, 400)],
    [
      'one-word turns',
      spoken(
        Array.from({ length: 80 }, (__, at) => [at % 2, 'Yes.']),
        calm,
        ['Ann', 'Bob'],
      ),
    ],
    ['a 90-character word', alone(`It is called ${'W'.repeat(90)} by those who know.`)],
    [
      'nothing said',
      alone('').turns.length === 1 ? { ...sampleTranscript([]), durationMs: 60_000 } : sampleTranscript([]),
    ],
    ['one word', alone('Hello.')],
    ['fast', conversation(2, 24, { wordSeconds: 0.12, gapSeconds: 0.01, turnGapSeconds: 0.05 })],
    ['slow', conversation(2, 12, { wordSeconds: 0.9, gapSeconds: 0.5, turnGapSeconds: 3 })],
    ['long pauses', alone(sentences.join(' '), { wordSeconds: 0.3, gapSeconds: 1.6, turnGapSeconds: 2 })],
    ['no pauses', alone(sentences.join(' '), { wordSeconds: 0.3, gapSeconds: 0, turnGapSeconds: 0 })],
    [
      'without punctuation',
      alone(
        sentences
          .join(' ')
          .replaceAll(/[^\w ]/g, '')
          .toLowerCase(),
      ),
    ],
    ['weak words only', alone('and of the and to a in the of and you with for it he')],
    ['no times', alone(sentences.join(' '), { wordSeconds: 0, gapSeconds: 0, turnGapSeconds: 0 })],
    ['long words', alone('Donaudampfschifffahrtsgesellschaft und Rindfleischetikettierungsgesetz '.repeat(6).trim())],
    ['damaged end', { ...conversation(2, 12), readableMs: 20_000 }],
    ['long names', { ...conversation(2, 12), speakers: ['Dr Katherine Whitfield-Okonkwo of the Survey', 'Bob'] }],
    [
      'unknown speakers',
      { ...conversation(1, 6), turns: conversation(1, 6).turns.map((turn) => ({ ...turn, speaker: null })) },
    ],
    ...(Object.entries(texts) as [string, string][]).map(([kind, text]): [string, Transcript] => [kind, alone(text)]),
    [
      'many scripts',
      spoken(
        Object.values(texts).map((text, at) => [at % 3, text] as const),
        calm,
        ['Ann', 'דני', 'Łukasz'],
      ),
    ],
  ]
  const wild = fc.sample(anyTranscript({ sorted: true }), { seed: 17, numRuns: 12 })
  return new Map([...made, ...wild.map((transcript, at): [string, Transcript] => [`wild ${at + 1}`, transcript])])
}

/** Twenty-four hours of two people talking calmly, some 190,000 words. */
export function aDayOfSpeech(): Transcript {
  const day = conversation(2, 1)
  const one = conversation(2, 40)
  const lengthSeconds = (one.turns.at(-1)?.words.at(-1)?.end ?? 0) + 1
  const turns: Turn[] = []
  for (let at = 0; at + lengthSeconds < 86_400; at += lengthSeconds) {
    for (const { speaker, words } of one.turns) {
      turns.push({ speaker, words: words.map((word) => ({ ...word, start: word.start + at, end: word.end + at })) })
    }
  }
  return { ...day, turns, durationMs: 86_400_000 }
}

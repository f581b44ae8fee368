import fc from 'fast-check'
import type { Word } from '../word.ts'
import { WordTable } from '../word-table.ts'

/** Words for tests: `one two.|three` makes two turns; a word every half second, 0.4 s long. */
export function wordsOf(text: string, change: (word: Word, index: number) => Partial<Word> = () => ({})): Word[] {
  const turns = text.split('|').map((turn) => turn.split(' ').filter((word) => word !== ''))
  const words = turns.flatMap((turn) => turn.map((word, index) => ({ word, endsTurn: index === turn.length - 1 })))
  return words.map(({ word, endsTurn }, index) => {
    const plain: Word = {
      text: word,
      start: index * 0.5,
      end: index * 0.5 + 0.4,
      conf: 0.9,
      endsTurn: endsTurn && index < words.length - 1,
      turnConf: null,
      speaker: -1,
      origin: index,
    }
    return { ...plain, ...change(plain, index) }
  })
}

export function tableOf(words: readonly Word[]): WordTable {
  return WordTable.from(words)
}

export const allWords = (table: WordTable): Word[] => table.words(0, table.count)

const milliseconds = fc.integer({ min: 0, max: 90_000_000 }).map((ms) => ms / 1_000)
/** Caption settings. */
const anyCue = fc.record(
  {
    whole: fc.constant(true as const),
    fixed: fc.constant(true as const),
    start: milliseconds,
    end: milliseconds,
    top: fc.constant(true as const),
  },
  { requiredKeys: [] },
)

/** Any word, including empty ones, markup, right-to-left and CJK. */
export const anyWord: fc.Arbitrary<Word> = fc.record({
  text: fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('<script>', 'שלום', '你好。', 'a\nb', '')),
  start: fc.double({ min: 0, max: 90_000, noNaN: true }),
  end: fc.double({ min: 0, max: 90_000, noNaN: true }),
  conf: fc.constantFrom(null, 0, 0.5, 1),
  endsTurn: fc.boolean(),
  turnConf: fc.constantFrom(null, 0.25),
  speaker: fc.integer({ min: -1, max: 5 }),
  origin: fc.integer({ min: -1, max: 100_000 }),
  cue: fc.option(anyCue, { nil: undefined, freq: 3 }),
})
export const anyWords = fc.array(anyWord, { maxLength: 60 })

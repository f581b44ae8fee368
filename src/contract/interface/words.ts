import * as z from 'zod/mini'

/** Times of words and captions that people send, in seconds: eleven days, which every format can write. */
export const sentSeconds = z.number().check(z.gte(0), z.lte(1_000_000))

/** One word of the JSON transcript, times in seconds (spec 2.4). `turn` present: a speaker turn follows this word. */
export const wordRecord = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  duration: z.number(),
  conf: z.number(),
  turn: z.optional(z.unknown()),
  turn_conf: z.optional(z.number()),
})
export type WordRecord = z.infer<typeof wordRecord>
export const wordRecords = z.array(wordRecord)

/** True if a speaker turn follows the word: the key is present, whatever its value (spec 2.4). */
export function endsTurn(word: WordRecord): boolean {
  return word.turn !== undefined
}

/** The text rendering of spec 2.4: a line break after a word that has `turn`, a space otherwise. */
export function renderWords(words: readonly WordRecord[]): string {
  return words
    .map((word, index) => word.word + (index === words.length - 1 ? '' : endsTurn(word) ? '\n' : ' '))
    .join('')
}

import type { WordRecord } from '../contract/interface/words.ts'
import { capitalized } from './verbatim.ts'

/** A pause longer than this begins a sentence if the engine provides no case. */
const sentencePauseSeconds = 0.6

/** True if any word has a capital: the engine provides case, so none is added. */
export function hasCase(words: Iterable<WordRecord>): boolean {
  for (const { word } of words) if (/\p{Lu}/u.test(word)) return true
  return false
}

/**
 * The words of one turn, capitalized at its start, after a pause of over 0.6 s and on the English `I`; for engines that
 * output only lower case. Nothing else is guessed, and no punctuation is added.
 */
export function sentenceCased(words: readonly WordRecord[]): WordRecord[] {
  let previousEnd = Number.NEGATIVE_INFINITY
  return words.map((word) => {
    const begins = word.start - previousEnd > sentencePauseSeconds
    previousEnd = word.end
    return begins || (word.word.startsWith('i') && /^i(?=$|['’])/.test(word.word))
      ? { ...word, word: capitalized(word.word) }
      : word
  })
}

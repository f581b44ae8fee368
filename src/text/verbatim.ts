import type { WordRecord } from '../contract/interface/words.ts'

const fillers = new Set(['um', 'umm', 'uh', 'uhh', 'uhm', 'erm'])

/** A word in lower case without surrounding punctuation: `"Um,"` gives `um`. */
export function bareWord(word: string): string {
  // Fast path for most words.
  if (/^[a-z]+$/.test(word)) return word
  return word.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

function endsSentence(word: string): boolean {
  return /[.!?…]["'”’)]*$/.test(word)
}

/** Capitalizes the first letter, after any punctuation before it. */
export function capitalized(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
}

/** The word that replaces the dropped one before it: it inherits sentence end, capital and turn. */
function takeOver(kept: WordRecord, dropped: WordRecord): WordRecord {
  const mark = /[.!?…]+["'”’)]*$/.exec(dropped.word)?.[0]
  const word = mark === undefined || endsSentence(kept.word) ? kept.word : kept.word.replace(/[,;:]*$/, '') + mark
  const { turn, turn_conf } = dropped
  return {
    ...kept,
    word,
    ...(turn !== undefined && { turn }),
    ...(turn_conf !== undefined && { turn_conf }),
  }
}

/**
 * The words of one turn with `strict_verbatim` off (spec 2.3): without um and uh and without immediate repetitions
 * (`the the house`). A repetition across a comma or a sentence end is intentional (`no, no`; `Yes. Yes.`) and stays; so
 * do spoken numbers (`two two`). A neighbor inherits the capital or sentence end of a dropped word.
 */
export function withoutDisfluencies(words: readonly WordRecord[]): WordRecord[] {
  const kept: WordRecord[] = []
  let capitalNext = false
  for (const word of words) {
    const last = kept.at(-1)
    const text = bareWord(word.word)
    if (fillers.has(text)) {
      if (last !== undefined) kept[kept.length - 1] = takeOver(last, word)
      capitalNext ||= /^\P{L}*\p{Lu}/u.test(word.word) && (last === undefined || endsSentence(last.word))
    } else if (last !== undefined && isRepetition(last.word, text)) {
      kept[kept.length - 1] = { ...word, word: mergedWord(last.word, word.word) }
    } else {
      kept.push(capitalNext ? { ...word, word: capitalized(word.word) } : word)
      capitalNext = false
    }
  }
  return kept
}

const numberWords = new Set(
  'zero oh one two three four five six seven eight nine ten eleven twelve hundred thousand million double'.split(' '),
)

/** @param text the next word, lower case without punctuation */
function isRepetition(previous: string, text: string): boolean {
  return text !== '' && previous.toLowerCase() === text && !/\p{N}/u.test(text) && !numberWords.has(text)
}

/** The first word's case with the second's punctuation. */
function mergedWord(first: string, second: string): string {
  return first + second.slice(second.toLowerCase().indexOf(bareWord(second)) + bareWord(second).length)
}

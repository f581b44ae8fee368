import type { WordTable } from '../model/word-table.ts'

/**
 * Filler sounds by language, and common words that identify the language. Sounds that answer (“mhm”, “uh-huh”, “ah”)
 * are excluded, as are words with a meaning in that language: “um” is German for “at”, “er” for “he”.
 */
export const fillerLanguages = {
  en: { name: 'English', sounds: /^(u+m+|u+h+m*|er|e+r+m+|e+hm+|h+m+)$/u, common: 'the and of to is that' },
  de: { name: 'German', sounds: /^([äö]+h+m*|e+hm+|h+m+)$/u, common: 'der die und das ist nicht' },
  fr: { name: 'French', sounds: /^(e+u+h+|he+u+|h+u+m+|h+m+)$/u, common: 'le la les et est pas' },
  es: { name: 'Spanish', sounds: /^(e+h+m*|e+m+|m{3,})$/u, common: 'el los que y es por' },
  nl: { name: 'Dutch', sounds: /^([eu]+h+m*|h+m+)$/u, common: 'het een en van ik niet' },
} as const
export type FillerLanguage = keyof typeof fillerLanguages

/** Sample size for detecting the language, in words. */
const sampleWords = 3_000

const bare = (text: string) => text.replaceAll(/^\P{L}+|\P{L}+$/gu, '')

/** Detects a text's language by its most common words; English if inconclusive. */
export function detectLanguage(table: WordTable): FillerLanguage {
  const words = table.slice(0, Math.min(sampleWords, table.count)).toLowerCase().split(/\s+/u)
  const hits = (language: FillerLanguage) => {
    const common = new Set(fillerLanguages[language].common.split(' '))
    return words.reduce((sum, word) => sum + (common.has(bare(word)) ? 1 : 0), 0)
  }
  const languages = Object.keys(fillerLanguages) as FillerLanguage[]
  return languages.reduce((best, one) => (hits(one) > hits(best) ? one : best), 'en')
}

/** All filler words, by lower-case sound: `{ um: [3, 8], uh: [5] }`, most frequent first. */
export function findFillers(table: WordTable, language: FillerLanguage): Map<string, number[]> {
  const { sounds } = fillerLanguages[language]
  const found = new Map<string, number[]>()
  for (let word = 0; word < table.count; word++) {
    const text = bare(table.wordText(word))
    const sound = text.toLowerCase()
    if (!sounds.test(sound) || isAbbreviation(table, word, text)) continue
    const places = found.get(sound)
    if (places === undefined) found.set(sound, [word])
    else places.push(word)
  }
  return new Map([...found].sort(([, a], [, b]) => b.length - a.length))
}

/** “the ER” is a place; in an all-caps text, capitals mean nothing. */
function isAbbreviation(table: WordTable, word: number, text: string): boolean {
  return (
    text === text.toUpperCase() && /\p{Ll}/u.test(table.slice(Math.max(0, word - 2), Math.min(table.count, word + 3)))
  )
}

import type { StoredWord } from '../../../src/text/build-transcript.ts'

/* Generated talk: word frequencies as in natural language (Zipf), sentences, and two alternating voices. */

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to vu wa ye za tion ing er al st ment'.split(' ')
const vocabularySize = 60_000

/** Reproducible numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Words, most frequent first: these are mostly short. */
function makeVocabulary(random: () => number): string[] {
  const words = new Set<string>()
  while (words.size < vocabularySize) {
    const length = 1 + Math.floor(random() * 4)
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''))
  }
  return [...words]
    .map((word) => ({ word, rank: word.length + random() * 4 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ word }) => word)
}

/** Rounded like engine output, to the hundredth of a second. */
function times(seconds: number) {
  const hundredths = Math.round(seconds * 100)
  return { start: hundredths / 100, end: (hundredths + 20) / 100, duration: 0.2 }
}

export type Corpus = {
  /** most frequent first */
  vocabulary: readonly string[]
  /** a word, weighted by frequency */
  pick(): string
  /** a transcript of `words` words */
  talk(words: number): StoredWord[]
}

export function makeCorpus(random: () => number): Corpus {
  const vocabulary = makeVocabulary(random)
  let total = 0
  const sums = vocabulary.map((_, rank) => (total += 1 / (rank + 2.7)))
  const pick = () => {
    const wanted = random() * total
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return vocabulary[low] ?? ''
  }
  const talk = (count: number) => {
    const words: StoredWord[] = []
    for (let [speaker, start] = [0, 0]; words.length < count; speaker = 1 - speaker) {
      const length = 5 + Math.floor(random() * 70)
      for (let index = 0; index < length; index += 1, start += 0.2 + Math.round(random() * 40) / 100) {
        const isEnd = index % 12 === 11 || index === length - 1
        const word = { word: isEnd ? `${pick()}.` : pick(), ...times(start), conf: 0.9, speaker }
        words.push(index === length - 1 ? { ...word, turn: true } : word)
      }
    }
    return words.slice(0, count)
  }
  return { vocabulary, pick, talk }
}

import type { StoredWord } from '../../../src/text/build-transcript.ts'

/** 216,000 words in 24 hours of talk: 2.5 per second. */
const wordsPerSecond = 2.5

/** Reproducible numbers between 0 and 1 (Mulberry32). */
function* randomNumbers(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const syllables = 'ha bour ri ver mil ler con fi dence so und tra wel lo ka ti pre si dent mu ne as in to the of'.split(
  ' ',
)

function vocabulary(random: () => number): string[] {
  const word = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      '',
    )
  return ['harbours', ...Array.from({ length: 4_000 }, word)]
}

/**
 * Generated talk of a given length: natural word frequencies, turns of 10 to 70 words by two voices, some words
 * doubtful.
 */
export function* talk(seconds: number): Generator<StoredWord> {
  const numbers = randomNumbers(seconds)
  const random = () => numbers.next().value
  const words = vocabulary(random)
  const count = Math.round(seconds * wordsPerSecond)
  const step = 1 / wordsPerSecond
  let left = 0
  let speaker = 1
  for (let index = 0; index < count; index++) {
    if (left === 0) {
      left = 10 + Math.floor(random() * 60)
      speaker = 1 - speaker
    }
    left--
    // The cube makes the first words of the list frequent, roughly as in natural language.
    const text = words[Math.floor(random() ** 3 * words.length)] ?? ''
    const ends = left === 0 || index === count - 1
    const start = Math.round(index * step * 1_000) / 1_000
    yield {
      word: ends || random() < 0.08 ? `${text}.` : text,
      start,
      end: start + step * 0.9,
      duration: step * 0.9,
      conf: random() < 0.05 ? 0.3 : 0.95,
      speaker,
      ...(ends ? { turn: true as const, turn_conf: 0.9 } : {}),
    }
  }
}

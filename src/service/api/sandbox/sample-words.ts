import type { StoredWord } from '../../../text/build-transcript.ts'

/** The text of the sandbox's sample files, spoken by two alternating voices. */
const sentences = [
  'This is a sample file of the sandbox.',
  'Its words were not heard in any recording.',
  'They are here so that a program can be tried against every state of the service.',
  'Where does the first speaker end and the second begin?',
  'After each sentence the other voice goes on.',
  'Times, confidences and turns have the same form as in a real transcript.',
]

const wordMs = 400
const gapMs = 60
const pauseMs = 700

/** One round of all sentences; times from its start. */
function oneRound(): { words: StoredWord[]; lengthMs: number } {
  const words: StoredWord[] = []
  let atMs = 0
  for (const [index, sentence] of sentences.entries()) {
    const parts = sentence.split(' ')
    for (const [place, word] of parts.entries()) {
      const isLast = place === parts.length - 1
      words.push({
        word,
        start: atMs / 1_000,
        end: (atMs + wordMs) / 1_000,
        duration: wordMs / 1_000,
        conf: place % 5 === 3 ? 0.55 : 0.95,
        speaker: index % 2,
        ...(isLast ? { turn: true as const, turn_conf: 0.9 } : {}),
      })
      atMs += wordMs + gapMs
    }
    atMs += pauseMs
  }
  return { words, lengthMs: atMs }
}

const toMs = (seconds: number) => Math.round(seconds * 1_000)

/** Yields the sample words that begin within a range of a recording; times in seconds from the recording's start. */
export function* sampleWords(startMs: number, endMs: number): Generator<StoredWord> {
  const { words, lengthMs } = oneRound()
  for (let roundMs = Math.floor(startMs / lengthMs) * lengthMs; roundMs < endMs; roundMs += lengthMs) {
    for (const word of words) {
      const atMs = roundMs + toMs(word.start)
      if (atMs < startMs || atMs + wordMs > endMs) continue
      yield { ...word, start: atMs / 1_000, end: (atMs + wordMs) / 1_000 }
    }
  }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredWord } from '../../../text/build-transcript.ts'

/*
 * Half a minute of real speech with its words, shown to users who have not ordered anything yet. All public domain: two
 * sentences of LJ Speech (LJ001-0001, LJ001-0005), and one of Kennedy's inaugural address. The times were aligned by
 * pocketsphinx.
 */

type Turn = { speaker: number; words: string }

/** Each word with its start and end in hundredths of a second, and if doubtful, its confidence in hundredths. */
const turns: readonly Turn[] = [
  {
    speaker: 0,
    words: `
      Printing, 0 87 | in 87 99 | the 99 115 | only 115 147 | sense 147 195 | with 195 212 | which 212 237 |
      we 237 255 | are 255 271 | at 271 290 | present 290 327 | concerned, 327 400 | differs 441 505 |
      from 505 522 | most 522 565 | if 565 581 | not 581 611 | from 611 631 | all 631 665 | the 665 679 |
      arts 679 709 | and 709 723 | crafts 723 776 44 | represented 776 853 | in 853 866 | the 866 879 |
      Exhibition. 879 965 38`,
  },
  {
    speaker: 0,
    words: `
      The 1026 1037 | invention 1037 1087 | of 1087 1101 | movable 1101 1147 47 | metal 1147 1186 |
      letters 1186 1239 | in 1239 1247 | the 1247 1253 | middle 1253 1285 | of 1285 1295 | the 1295 1302 |
      fifteenth 1302 1357 | century 1357 1422 | may 1452 1472 | justly 1472 1520 | be 1520 1536 |
      considered 1536 1603 | as 1629 1651 | the 1651 1666 | invention 1666 1717 | of 1717 1727 | the 1727 1741 |
      art 1741 1764 | of 1764 1777 | printing. 1777 1837`,
  },
  {
    speaker: 1,
    words: `
      And 1926 1960 | so, 1960 1994 | my 1994 2021 | fellow 2021 2060 41 | Americans, 2060 2113 | ask 2222 2296 |
      not 2296 2327 | what 2434 2458 | your 2458 2483 | country 2483 2539 | can 2539 2563 | do 2563 2588 |
      for 2588 2602 | you; 2602 2664 | ask 2712 2750 | what 2750 2779 | you 2779 2817 | can 2817 2834 |
      do 2834 2860 | for 2860 2875 | your 2875 2896 | country. 2896 2943`,
  },
]

function* makeWords({ speaker, words }: Turn): Generator<StoredWord> {
  const entries = words.split('|')
  for (const [index, entry] of entries.entries()) {
    const [word = '', ...hundredths] = entry.trim().split(' ')
    const [start = 0, end = 0, conf = 0.97] = hundredths.map((number) => Number(number) / 100)
    const turn = index === entries.length - 1 ? { turn: true as const, turn_conf: 0.95 } : {}
    yield { word, start, end, duration: Math.round((end - start) * 100) / 100, conf, speaker, ...turn }
  }
}

/** The words of the talk, times in seconds. */
export const talkWords: readonly StoredWord[] = turns.flatMap((turn) => [...makeWords(turn)])

/** @returns the recording of the talk, an MP3 */
export async function readTalk(): Promise<Buffer> {
  return await readFile(join(import.meta.dirname, 'sample-talk.mp3'))
}

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

/**
 * Yields the sample words that end within a range of a recording, the first one cut at its start; times in seconds from
 * the recording's start.
 */
export function* sampleWords(startMs: number, endMs: number): Generator<StoredWord> {
  const { words, lengthMs } = oneRound()
  for (let roundMs = Math.floor(startMs / lengthMs) * lengthMs; roundMs < endMs; roundMs += lengthMs) {
    for (const word of words) {
      const atMs = roundMs + toMs(word.start)
      const untilMs = atMs + wordMs
      if (untilMs <= startMs || untilMs > endMs) continue
      const fromMs = Math.max(atMs, startMs)
      yield { ...word, start: fromMs / 1_000, end: untilMs / 1_000, duration: (untilMs - fromMs) / 1_000 }
    }
  }
}

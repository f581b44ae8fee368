import { indexOfName } from '../../../text/speakers.ts'
import type { SpokenLine } from './speakers.ts'
import { newWord, type Word } from './word.ts'
import { WordTable } from './word-table.ts'

/** Assumed length of the last line, and of lines without times. Seconds. */
const assumedLineSeconds = 5

/**
 * Words of a text in progress (spec 2.5), one turn per line. Lines only have a start time, so word times are
 * interpolated up to the next line.
 */
export function tableOfLines(lines: readonly SpokenLine[]): { table: WordTable; names: string[] } {
  const names: string[] = []
  const words: Word[] = []
  let lastStart = 0
  lines.forEach((line, index) => {
    const start = Math.max(lastStart, line.startSeconds ?? lastStart)
    const end = Math.max(start, lines[index + 1]?.startSeconds ?? start + assumedLineSeconds)
    lastStart = start
    const texts = line.text.split(/\s+/).filter((text) => text !== '')
    texts.forEach((text, place) => {
      const step = (end - start) / texts.length
      words.push({
        ...newWord,
        text,
        start: start + place * step,
        end: start + (place + 1) * step,
        endsTurn: place === texts.length - 1,
        speaker: line.speaker === null ? -1 : indexOfName(names, line.speaker),
      })
    })
  })
  return { table: WordTable.from(words), names }
}

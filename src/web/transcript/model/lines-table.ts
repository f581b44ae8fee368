import type { SpokenLine } from './speakers.ts'
import type { Word } from './word.ts'
import { WordTable } from './word-table.ts'

/** How long a last line is taken to be, and lines without times. Seconds. */
const unknownLength = 5

/**
 * Words of a text in progress (spec 2.5), one turn a line. A line tells only when it begins, so the times of its words
 * are spread evenly to the next line.
 */
export function tableOfLines(lines: readonly SpokenLine[]): { table: WordTable; names: string[] } {
  const names: string[] = []
  const words: Word[] = []
  let lastStart = 0
  lines.forEach((line, index) => {
    const start = Math.max(lastStart, line.startSeconds ?? lastStart)
    const end = Math.max(start, lines[index + 1]?.startSeconds ?? start + unknownLength)
    lastStart = start
    const texts = line.text.split(/\s+/).filter((text) => text !== '')
    texts.forEach((text, place) => {
      const step = (end - start) / texts.length
      words.push({
        text,
        start: start + place * step,
        end: start + (place + 1) * step,
        conf: null,
        endsTurn: place === texts.length - 1,
        turnConf: null,
        speaker: indexOf(names, line.speaker),
        origin: -1,
      })
    })
  })
  return { table: new WordTable().spliced([{ at: 0, removed: 0, inserted: words }]), names }
}

function indexOf(names: string[], name: string | null): number {
  if (name === null) return -1
  const known = names.indexOf(name)
  return known === -1 ? names.push(name) - 1 : known
}

import { indexOfName } from '../../../text/speakers.ts'
import type { Blocks } from './blocks.ts'
import type { WordTable } from './word-table.ts'

/** A line of the text format, as parsed by `readTxt`: whole seconds; null for parts that the text does not have. */
export type SpokenLine = { startSeconds: number | null; speaker: string | null; text: string }

/** Tolerance between the times of a line and its turn: the text format only has whole seconds. */
const toleranceSeconds = 1.01

/**
 * Assigns each turn the speaker named in the text format. Lines and turns are matched in order, by time and first word;
 * a turn without a line keeps an unknown speaker, rather than a guessed one.
 * @returns the names in order of first word; the table's `speakers` column is filled in
 */
export function matchSpeakers(table: WordTable, lines: readonly SpokenLine[]): string[] {
  const names: string[] = []
  let line = 0
  let first = 0
  for (let word = 0; word < table.count; word++) {
    if (!table.endsTurn(word) && word !== table.count - 1) continue
    const start = table.startOf(first)
    while (line < lines.length && (lines[line]?.startSeconds ?? start) < start - toleranceSeconds) line++
    const found = matchingLine(table, lines, line, first)
    if (found !== -1) {
      const speaker = lines[found]?.speaker ?? null
      if (speaker !== null) table.speakers.fill(indexOfName(names, speaker), first, word + 1)
      line = found + 1
    }
    first = word + 1
  }
  return names
}

/**
 * The first line near the turn's time that begins with its first word, else the first near its time; -1 if none. Lines
 * without times match in order, by their first word.
 */
function matchingLine(table: WordTable, lines: readonly SpokenLine[], from: number, first: number): number {
  const start = table.startOf(first)
  const word = table.wordText(first)
  let near = -1
  for (let line = from; line < lines.length; line++) {
    const { startSeconds, text } = lines[line] as SpokenLine
    if (startSeconds === null) return text.startsWith(word) ? line : near
    if (startSeconds > start + toleranceSeconds) break
    if (Math.abs(startSeconds - start) > toleranceSeconds) continue
    if (text.startsWith(word)) return line
    if (near === -1) near = line
  }
  return near
}

/** Total seconds spoken by each speaker, by index of the name; unknown speakers are not counted. */
export function speakingSeconds(table: WordTable, names: number): Float64Array {
  const seconds = new Float64Array(names)
  for (let word = 0; word < table.count; word++) {
    const speaker = table.speakerOf(word)
    if (speaker < 0 || speaker >= names) continue
    const length = Math.max(0, table.endOf(word) - table.startOf(word))
    seconds[speaker] = (seconds[speaker] ?? 0) + length
  }
  return seconds
}

/** The first block of a speaker's next turn after a block, wrapping around; null if the speaker has none. */
export function nextTurnBy(
  { table, blocks }: { table: WordTable; blocks: Blocks },
  speaker: number,
  after: number,
): number | null {
  for (let step = 1; step <= blocks.count; step++) {
    const block = (after + step) % blocks.count
    if (blocks.startsTurn(block) && table.speakerOf(blocks.first(block)) === speaker) return block
  }
  return null
}

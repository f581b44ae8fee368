import { csvText, withSemicolons } from '../contract/common/csv.ts'
import { timeOfDay } from '../text/clock-time.ts'
import type { Transcript } from '../text/transcript.ts'
import { speakerName, turnText } from '../text/transcript.ts'

function seconds(value: number | undefined): string {
  return (Math.round((value ?? 0) * 1_000) / 1_000).toFixed(3)
}

/**
 * CSV, one turn per row: `start,end,speaker,text`, times in seconds, and if the recording began at a known time, last
 * `time_of_day`, of the start; begins with a byte order mark for spreadsheets.
 * @param hasSemicolons between the cells, and decimal commas
 */
export function* renderCsv(transcript: Transcript, hasSemicolons = false): Generator<string> {
  const separate = hasSemicolons ? withSemicolons : String
  const { beginsAtSeconds } = transcript
  yield separate(`\ufeffstart,end,speaker,text${beginsAtSeconds === undefined ? '' : ',time_of_day'}\r\n`)
  for (const turn of transcript.turns) {
    const [first, last] = [turn.words[0], turn.words.at(-1)]
    const speaker = csvText(speakerName(transcript, turn) ?? '')
    const ofDay = beginsAtSeconds === undefined ? '' : `,${timeOfDay(beginsAtSeconds + (first?.start ?? 0))}`
    yield separate(`${seconds(first?.start)},${seconds(last?.end)},${speaker},${csvText(turnText(turn))}${ofDay}\r\n`)
  }
}

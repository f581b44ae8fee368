import type { Transcript } from './transcript.ts'
import { speakerName, turnText } from './transcript.ts'

/**
 * A field of RFC 4180, always quoted. A spreadsheet would run text that begins like a formula: a tab-free apostrophe,
 * which it takes for "this is text", goes before it.
 */
function field(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

function seconds(value: number | undefined): string {
  return (Math.round((value ?? 0) * 1_000) / 1_000).toFixed(3)
}

/** CSV, one turn a row: `start,end,speaker,text`, times in seconds; begins with a byte order mark for spreadsheets. */
export function* renderCsv(transcript: Transcript): Generator<string> {
  yield '\ufeffstart,end,speaker,text\r\n'
  for (const turn of transcript.turns) {
    const [first, last] = [turn.words[0], turn.words.at(-1)]
    const speaker = field(speakerName(transcript, turn) ?? '')
    yield `${seconds(first?.start)},${seconds(last?.end)},${speaker},${field(turnText(turn))}\r\n`
  }
}

import { labelledTurns } from '../labelled-turns.ts'
import { plainText } from '../plain-text.ts'
import { headerLines } from '../template-header.ts'
import { markedText } from '../text-parts.ts'
import type { Transcript } from '../transcript.ts'
import { damageNotice, hasHeader, noSpeechNotice } from '../transcript.ts'

/** Text in one weight; the runs of a paragraph joined are its text. */
type Run = { text: string; bold: boolean }

/** What every document format is made of. `rightToLeft`: the first letter of what was said belongs to such a script. */
export type Paragraph = { style: 'title' | 'details' | 'turn'; runs: readonly Run[]; rightToLeft: boolean }

const strongLetter = /\p{L}/u
const rightToLeftLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** True where the first letter of a text is of a script that is written from right to left. */
function isRightToLeft(text: string): boolean {
  const first = strongLetter.exec(text)?.[0]
  return first !== undefined && rightToLeftLetter.test(first)
}

function plain(style: Paragraph['style'], text: string): Paragraph {
  return { style, runs: [{ text, bold: false }], rightToLeft: isRightToLeft(text) }
}

/** The paragraphs of a finished transcript: the template's header, then a turn each with its speaker bold. */
export function* documentParagraphs(transcript: Transcript): Generator<Paragraph> {
  if (hasHeader(transcript.options)) {
    const [title, details] = headerLines(transcript)
    yield plain('title', title)
    yield plain('details', details)
  }
  if (transcript.turns.length === 0) yield plain('turn', noSpeechNotice)
  for (const { time, speaker, parts } of labelledTurns(transcript)) {
    const runs: Run[] = []
    const text = markedText(parts)
    if (time !== null) runs.push({ text: `${time} `, bold: false })
    if (speaker !== null) runs.push({ text: `${speaker}:`, bold: true }, { text: ' ', bold: false })
    runs.push({ text, bold: false })
    yield { style: 'turn', runs, rightToLeft: isRightToLeft(text) }
  }
  const damage = damageNotice(transcript)
  if (damage !== null) yield plain('turn', damage)
}

/** The line at the head of every page: the title in the service templates, nothing in the blank ones. */
export function pageHeader(transcript: Transcript): string | null {
  return hasHeader(transcript.options) ? plainText(headerLines(transcript)[0]) : null
}

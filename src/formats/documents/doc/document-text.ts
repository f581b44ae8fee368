import type { Transcript } from '../../transcript.ts'
import { isDoubleSpaced } from '../../transcript.ts'
import type { Paragraph } from '../paragraphs.ts'
import { documentParagraphs, pageHeader } from '../paragraphs.ts'
import type { FormattedRuns } from './formatted-pages.ts'
import type { CharacterKind, ParagraphKind } from './properties.ts'

/** A run of text with its formatting; `endsParagraph` on the run that ends with a paragraph mark. */
export type TextRun = { text: string; kind: CharacterKind; endsParagraph: ParagraphKind | null }

function bodyKind({ style, rightToLeft }: Paragraph, bold: boolean): CharacterKind {
  if (style !== 'turn') return style
  if (rightToLeft) return bold ? 'rightToLeftBold' : 'rightToLeft'
  return bold ? 'bold' : 'plain'
}

/** The runs of the main document, one paragraph after the other. Called twice: to measure, then to write. */
export function* bodyRuns(transcript: Transcript): Generator<TextRun> {
  const turnShape = isDoubleSpaced(transcript.options) ? 'double' : 'single'
  for (const paragraph of documentParagraphs(transcript)) {
    const shape = paragraph.style === 'turn' ? turnShape : paragraph.style
    const endsParagraph: ParagraphKind = paragraph.rightToLeft ? `${shape}RightToLeft` : shape
    for (const { text, bold } of paragraph.runs) yield { text, kind: bodyKind(paragraph, bold), endsParagraph: null }
    yield { text: '\r', kind: 'plain', endsParagraph }
  }
}

/** Characters that open, part and close a field ([MS-DOC] 2.8.25). */
const [fieldBegin, fieldSeparator, fieldEnd] = ['\u0013', '\u0014', '\u0015'] as const

/**
 * The header document: its runs, where its stories begin and end, and where the characters of the page number's field
 * are; all counted from its own start. Stories: six separators that stay empty, then even and odd header, even and odd
 * footer, first header, first footer. A story that has text ends with a paragraph more.
 */
export function headerDocument(transcript: Transcript): { runs: TextRun[]; stories: number[]; fields: number[] } {
  const title = pageHeader(transcript)
  const mark: TextRun = { text: '\r', kind: 'small', endsParagraph: 'small' }
  const header: TextRun[] = title === null ? [] : [{ text: title, kind: 'small', endsParagraph: null }, mark, mark]
  const footer: TextRun[] = [
    { text: fieldBegin, kind: 'field', endsParagraph: null },
    { text: ' PAGE ', kind: 'small', endsParagraph: null },
    { text: fieldSeparator, kind: 'field', endsParagraph: null },
    { text: '1', kind: 'small', endsParagraph: null },
    { text: fieldEnd, kind: 'field', endsParagraph: null },
    mark,
    mark,
  ]
  const headerLength = lengthOf(header)
  const end = headerLength + lengthOf(footer)
  // Six separators and the even header are empty, the odd header is from 0, the even footer empty, then the odd footer.
  const stories = [0, 0, 0, 0, 0, 0, 0, 0, headerLength, headerLength, end, end, end, end]
  return { runs: [...header, ...footer], stories, fields: [headerLength, headerLength + 7, headerLength + 9] }
}

/** How many characters the runs have. */
export function lengthOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0)
}

/** Where character runs and paragraphs end; neighbours of one kind are one run. */
export class Measured {
  readonly characters: FormattedRuns<CharacterKind> = { ends: [], kinds: [] }
  readonly paragraphs: FormattedRuns<ParagraphKind> = { ends: [], kinds: [] }
  length = 0

  add({ text, kind, endsParagraph }: TextRun): void {
    if (text === '') return
    this.length += text.length
    const { ends, kinds } = this.characters
    if (kinds.at(-1) === kind) ends[ends.length - 1] = this.length
    else {
      ends.push(this.length)
      kinds.push(kind)
    }
    if (endsParagraph === null) return
    this.paragraphs.ends.push(this.length)
    this.paragraphs.kinds.push(endsParagraph)
  }
}

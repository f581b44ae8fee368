import { splitParts, type Transcript } from '../../../text/transcript.ts'
import { columnWidths } from '../page-measures.ts'
import { documentParagraphs, pageHeader } from '../paragraphs.ts'
import { type WordRun, wordRuns } from '../word-runs.ts'
import type { FormattedRuns } from './formatted-pages.ts'
import type { CharacterKind, ParagraphKind } from './properties.ts'

/** A run of text with its formatting; `endsParagraph` on the run that ends with a paragraph mark. */
export type TextRun = { text: string; kind: CharacterKind; endsParagraph: ParagraphKind | null }

function bodyKind({ kind }: WordRun, rightToLeft: boolean): CharacterKind {
  if (kind === 'time' || kind === 'speaker') return kind
  if (kind === 'doubtful') return rightToLeft ? 'doubtfulRightToLeft' : 'doubtful'
  return rightToLeft && kind === 'said' ? 'rightToLeft' : 'plain'
}

const sectionEnd = '\u000c'

/** A tab, and a line break within a paragraph. */
const controls: Partial<Record<WordRun['kind'], string>> = { tab: '\t', break: '\u000b' }

/** The runs of the main document, paragraph by paragraph. Called twice: to measure, then to write. */
export function* bodyRuns(transcript: Transcript): Generator<TextRun> {
  const columns = columnWidths(transcript)
  let end: TextRun | null = null
  for (const paragraph of documentParagraphs(transcript)) {
    const { style, mark, rightToLeft, begins } = paragraph
    // The section mark ends the section's last paragraph.
    if (end !== null) yield begins === null ? end : { ...end, text: sectionEnd }
    const name = mark === null ? style : 'turnAtMinute'
    for (const run of wordRuns(paragraph, columns)) {
      yield { text: controls[run.kind] ?? run.text, kind: bodyKind(run, rightToLeft), endsParagraph: null }
    }
    end = { text: '\r', kind: 'plain', endsParagraph: rightToLeft ? `${name}RightToLeft` : name }
  }
  if (end !== null) yield end
}

/** Characters that begin, separate and end a field ([MS-DOC] 2.8.25). */
const [fieldBegin, fieldSeparator, fieldEnd] = ['\u0013', '\u0014', '\u0015'] as const

const text = (text: string): TextRun => ({ text, kind: 'plain', endsParagraph: null })

/** A field with the initial value that readers show until they update it. */
function field(name: string): TextRun[] {
  const mark = (text: string): TextRun => ({ text, kind: 'field', endsParagraph: null })
  return [mark(fieldBegin), text(` ${name} `), mark(fieldSeparator), text('1'), mark(fieldEnd)]
}

/**
 * The header document: its runs, and where its stories begin and end, relative to its start. Stories: six empty
 * separators, then for each section even and odd header, even and odd footer, first header, first footer. A non-empty
 * story ends with an extra paragraph. First pages have no header.
 */
export function headerDocument(transcript: Transcript): { runs: TextRun[]; stories: number[] } {
  const end = (kind: ParagraphKind): TextRun[] => Array(2).fill({ text: '\r', kind: 'plain', endsParagraph: kind })
  const footer = [text('Page '), ...field('PAGE'), text(' of '), ...field('NUMPAGES'), ...end('footer')]
  const runs: TextRun[] = []
  const stories = Array(6).fill(0)
  for (const [index, part] of splitParts(transcript).entries()) {
    const title = pageHeader(part)
    // A later section with an empty story would inherit the previous section's.
    const header = title === null && index === 0 ? [] : [text(title ?? ''), ...end('header')]
    const start = countCharacters(runs)
    const [odd, first] = [start + countCharacters(header), start + countCharacters(header) + countCharacters(footer)]
    // Even header, even footer and first header are empty.
    stories.push(start, start, odd, odd, first, first)
    runs.push(...header, ...footer, ...footer)
  }
  const last = countCharacters(runs)
  return { runs, stories: [...stories, last, last] }
}

/** Positions of the field characters in runs, with their kind, and the field that each begins. */
export function fieldPlaces(runs: readonly TextRun[]): { at: number; mark: string; opens: string }[] {
  const places: { at: number; mark: string; opens: string }[] = []
  let at = 0
  for (const [index, { text: own, kind }] of runs.entries()) {
    if (kind === 'field') places.push({ at, mark: own, opens: runs[index + 1]?.text.trim() ?? '' })
    at += own.length
  }
  return places
}

/** Number of characters in the runs. */
export function countCharacters(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0)
}

/** End positions of character runs and paragraphs; adjacent runs of one kind are merged. */
export class Measured {
  readonly characters: FormattedRuns<CharacterKind> = { ends: [], kinds: [] }
  readonly paragraphs: FormattedRuns<ParagraphKind> = { ends: [], kinds: [] }
  /** end of each section but the last */
  readonly sections: number[] = []
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
    if (text === sectionEnd) this.sections.push(this.length)
    this.paragraphs.ends.push(this.length)
    this.paragraphs.kinds.push(endsParagraph)
  }
}

import type { TextPart } from '../text-parts.ts'
import { type Columns, fitsMargin } from './page-measures.ts'
import type { Paragraph } from './paragraphs.ts'

/** A run of a paragraph: text of one kind, or a separator between margin and text. */
export type WordRun = { kind: TextPart['kind'] | 'speaker' | 'tab' | 'break'; text: string }

const tab: WordRun = { kind: 'tab', text: '\t' }
const lineBreak: WordRun = { kind: 'break', text: '\n' }

/**
 * The runs of a paragraph for formats whose readers break lines: time, name and text separated by tabs, which a hanging
 * indent aligns in columns. A name wider than its column gets its own line.
 */
export function wordRuns({ style, time, speaker, parts }: Paragraph, columns: Columns): WordRun[] {
  const runs: WordRun[] = []
  if (style === 'turn' && columns.time > 0) runs.push({ kind: 'time', text: time ?? '' }, tab)
  if (style === 'turn' && columns.name > 0) {
    const name = speaker ?? ''
    runs.push({ kind: 'speaker', text: name }, fitsMargin(name, columns) ? tab : lineBreak)
  }
  for (const [index, part] of parts.entries()) {
    if (index > 0) runs.push({ kind: 'said', text: ' ' })
    runs.push(part)
  }
  return runs.filter(({ text }) => text !== '')
}

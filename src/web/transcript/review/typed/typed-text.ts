import type { FileWork, WorkSection } from '../../../../contract/account/manual-work.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { newWord, type Word, type WordSpan } from '../../model/word.ts'
import { WordTable } from '../../model/word-table.ts'

/** A section of the text in progress: its words and state. */
export type TypedSection = {
  words: WordSpan
  /** not typed yet: a placeholder line represents it */
  isMissing: boolean
  /** its text has changed since the last look */
  isNew: boolean
}

export type TypedText = { table: WordTable; names: readonly string[]; sections: readonly TypedSection[] }

/**
 * The text so far of an order typed by people: all words at their own times, and one placeholder line, as long as the
 * section, for each section that is not typed yet.
 * @param since last look, ISO 8601; null: never, so that nothing is new
 */
export function typedText({ names, sections }: Pick<FileWork, 'names' | 'sections'>, since: string | null): TypedText {
  const inserted: Word[] = []
  const shown = sections.map((section): TypedSection => {
    const from = inserted.length
    const isMissing = section.words.length === 0
    inserted.push(...(isMissing ? [missingLine(section)] : sectionWords(section)))
    const isNew = !isMissing && since !== null && section.changed !== null && section.changed > since
    return { words: { from, to: inserted.length }, isMissing, isNew }
  })
  return { table: WordTable.from(inserted), names, sections: shown }
}

function sectionWords({ words }: WorkSection): Word[] {
  return words.map(({ word, start, end, speaker }, at): Word => {
    const next = words[at + 1]
    return { ...newWord, text: word, start, end, speaker, endsTurn: next === undefined || next.speaker !== speaker }
  })
}

/** One word as long as its section, so that it is highlighted while that plays. */
function missingLine({ start, end, state }: WorkSection): Word {
  const stretch = `${clockText(start)} to ${clockText(end)}`
  const said =
    state === 'typing'
      ? 'being typed'
      : state === 'waiting'
        ? 'not typed yet'
        : // Typed, but nobody spoke.
          'no words'
  return { ...newWord, text: `[${stretch}: ${said}]`, start, end, endsTurn: true }
}

/** The section of a word. */
export function findSection({ sections }: TypedText, word: number): TypedSection | undefined {
  return sections.find(({ words: { from, to } }) => from <= word && word < to)
}

/** Words that mark inaudible passages: `[blank 12:31]`, `[inaudible]`. */
export function blanksIn({ table }: TypedText): WordSpan[] {
  const spans: WordSpan[] = []
  for (let word = 0; word < table.count; word += 1) {
    if (!/^\[(blank|inaudible)/i.test(table.wordText(word))) continue
    const isOpen = !table.wordText(word).includes(']') && table.wordText(word + 1).includes(']')
    spans.push({ from: word, to: word + (isOpen ? 2 : 1) })
  }
  return spans
}

/** When the newest section was finished, ISO 8601; null if none is. */
export function newestChange({ sections }: Pick<FileWork, 'sections'>): string | null {
  return sections.reduce<string | null>((last, { changed }) => {
    return changed !== null && (last === null || changed > last) ? changed : last
  }, null)
}

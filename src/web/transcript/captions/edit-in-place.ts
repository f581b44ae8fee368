import { wordsOfText } from '../edit/changes.ts'
import type { EditedCue } from './caption-state.ts'
import { readTime } from './caption-text.ts'
import type { Captions } from './captions.ts'
import type { Edge } from './set-captions.ts'

/** What the fields of a caption hold. */
export type Values = { start: string; end: string; text: string }

/** A caption being edited in place: its fields when it began, and now. */
export type Edit = {
  captions: Captions
  index: number
  before: Values
  values: Values
  isEnded: { current: boolean }
}

/** The field of a time that was changed to something else than a time; null if there is none. */
export function findBadTime({ before, values }: Pick<Edit, 'before' | 'values'>): Edge | null {
  const edges = ['start', 'end'] as const
  return edges.find((edge) => values[edge] !== before[edge] && readTime(values[edge]) === null) ?? null
}

/**
 * Saves what was typed, once; a time that cannot be read stays as it was.
 * @param splitAt another caption begins at this word
 * @returns false if that is not possible now: the row stays open
 */
export function saveEdit({ captions, index, before, values, isEnded }: Edit, splitAt: number | null = null): boolean {
  if (isEnded.current) return false
  const isTyped = splitAt !== null || values.text !== before.text
  if (isTyped && !captions.type(index, values.text, splitAt)) return false
  isEnded.current = true
  for (const edge of ['start', 'end'] as const) {
    const ms = values[edge] === before[edge] ? null : readTime(values[edge])
    if (ms !== null) captions.moveEdge(index, edge, ms)
  }
  return true
}

export function cancelEdit({ captions, isEnded }: Edit): void {
  isEnded.current = true
  captions.editing.set(null)
}

/** Saves, and edits the same field of the next caption. */
export function saveAndStep(edit: Edit, field: EditedCue['field']): void {
  const { captions, index, values } = edit
  if (!saveEdit(edit)) return
  captions.editing.set(null)
  const isRemoved = wordsOfText(values.text).length === 0
  captions.edit(isRemoved ? index : index + 1, field)
}

/** Saves, with a second caption from the word at the caret, which is edited next. */
export function splitAtCaret(edit: Edit, caret: number): void {
  const { captions, index, values } = edit
  const [before, after] = [values.text.slice(0, caret), values.text.slice(caret)]
  const isWithin = /\S$/.test(before) && /^\S/.test(after)
  const at = wordsOfText(before).length - (isWithin ? 1 : 0)
  if (at <= 0 || at >= wordsOfText(values.text).length || !saveEdit(edit, at)) return
  captions.editing.set(null)
  captions.edit(index + 1)
}

/** Saves, and joins the caption with the one before, which is edited next, with the caret between them. */
export function mergeUp({ captions, index, before, values, isEnded }: Edit): void {
  const previous = captions.state.get().cues[index - 1]
  if (values.text !== before.text && !captions.type(index, values.text)) return
  if (previous === undefined || !captions.mergeUp(index)) return
  isEnded.current = true
  captions.editing.set(null)
  captions.edit(index - 1, 'text', previous.lines.join(' ').length + 1)
}

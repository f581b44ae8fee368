import { readTxt, type TextShape } from '../../../formats/read-txt.ts'
import { tableOfLines } from '../model/lines-table.ts'
import type { Desk } from './desk.ts'

/** Desks that show what people have typed, word by word: the lines of its text would be less. */
export const typedDesks = new WeakSet<Desk>()

/** Shows the text of a file in progress as it is now. A module of its own: no finished transcript needs it. */
export function showSoFar(desk: Desk, text: string, shape: TextShape): void {
  if (typedDesks.has(desk)) return
  const { table, names } = tableOfLines(readTxt(text, shape).lines)
  desk.showSoFar(table, names)
}

import { readTxt, type TextShape } from '../../../formats/read-txt.ts'
import { tableOfLines } from '../model/lines-table.ts'
import type { Desk } from './desk.ts'

/** Desks that already show the typed words of a manual order; showing the lines of its text would lose detail. */
export const typedDesks = new WeakSet<Desk>()

/** Shows the current text of a file in progress. A separate module, as finished transcripts do not need it. */
export function showSoFar(desk: Desk, text: string, shape: TextShape): void {
  if (typedDesks.has(desk)) return
  const { table, names } = tableOfLines(readTxt(text, shape).lines)
  desk.showSoFar(table, names)
}

import { readTxt, type TextShape } from '../../../formats/read-txt.ts'
import { tableOfLines } from '../model/lines-table.ts'
import type { Desk } from './desk.ts'

/** Shows the text of a file in progress as it is now. A module of its own: no finished transcript needs it. */
export function showSoFar(desk: Desk, text: string, shape: TextShape): void {
  const { table, names } = tableOfLines(readTxt(text, shape).lines)
  desk.showSoFar(table, names)
}

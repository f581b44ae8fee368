import type { DeskPart } from '../../../contract/work/parts.ts'
import type { SpellingStyle } from '../../../text/spelling.ts'
import { languageOf } from '../../transcript/edit/fillers.ts'
import { rulesOf } from './check-text.ts'
import { KeptInTab } from './kept-in-tab.ts'
import type { PartDesk } from './part-desk.ts'
import { TextMarks } from './text-marks.ts'

/** What marks the text of a part by its order's options. */
export function marksOf(open: PartDesk, { strict_verbatim, spelling }: DeskPart): TextMarks {
  const { table } = open.desk.text.state.get()
  const rules = rulesOf(strict_verbatim, spelling as SpellingStyle, languageOf(table))
  return new TextMarks(open, rules, new KeptInTab('ignored', open.held))
}

import { withTimingOf } from '../../../formats/captions/caption-rules.ts'
import { type ExportFormat, formatTable } from '../../../formats/format-table.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { saveFile } from '../../base/ui/save-file.ts'
import { countText } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { getCaptionRules } from '../../signed-in/library/caption-rules.ts'
import type { Corrected } from '../edit/operation.ts'
import type { Choices } from './choices.ts'
import { describeCaptions } from './describe-captions.ts'
import { describeFile, makeFile } from './make-file.ts'

type Wanted = {
  text: Corrected
  record: FileRecord
  format: ExportFormat
  isCorrected: boolean
  /** override the order's options and the file name's pattern */
  choices?: Choices
}

/** Makes a file of an open text and saves it; a message says what it contains, or that it failed. */
export async function saveText({ text, record, isCorrected, choices, format }: Wanted): Promise<void> {
  try {
    const { name, created } = record.metadata
    const { aboutWith, patternName } = await import('./apply-choices.ts')
    const date = created.slice(0, 10)
    const parts = { name, date, id: record.id, speakers: text.names, corrected: isCorrected }
    const fileName = patternName(choices?.pattern ?? '{name} {corrected}', format, parts)
    const about = choices === undefined ? describeFile(record) : aboutWith(describeFile(record), choices)
    const table = text.table.columns()
    const captions = withTimingOf(getCaptionRules(record), choices?.captions ?? null)
    const made = await makeFile({ kind: 'table', table, names: text.names, about, format, captions })
    if (made === null) return
    saveFile(made.content, fileName)
    const isOfCaptions = formatTable[format].kind === 'captions'
    const cues = isOfCaptions ? await describeCaptions(format, captions, made.content) : null
    showToast(savedMessage(fileName, isCorrected, cues, made.warnings))
  } catch {
    const detail = 'Try another format, or reload the page.'
    showToast({ tone: 'bad', title: 'Could not create the file', detail })
  }
}

function savedMessage(
  fileName: string,
  isCorrected: boolean,
  cues: string | null,
  warnings: number,
): { title: string; detail: string } {
  const text = isCorrected ? 'With your corrections.' : 'The original, without corrections.'
  if (cues === null) return { title: `Saved ${fileName}`, detail: text }
  const broken = warnings === 0 ? '' : `, ${countText(warnings)} ${warnings === 1 ? 'breaks' : 'break'} a rule`
  return { title: `Saved ${fileName}`, detail: `${cues}${broken}. ${text}` }
}

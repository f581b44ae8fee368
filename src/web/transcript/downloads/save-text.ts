import type { CaptionRules } from '../../../formats/captions/caption-rules.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { saveFile } from '../../base/ui/save-file.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Corrected } from '../edit/operation.ts'
import type { Choices } from './choices.ts'
import { describeFile, makeFile } from './make-file.ts'

type Wanted = {
  text: Corrected
  record: FileRecord
  format: ExportFormat
  captions?: CaptionRules
  isCorrected: boolean
  /** override the order's options and the file name's pattern */
  choices?: Choices
}

/** Makes a file of an open text and saves it; a message says what it contains, or that it failed. */
export async function saveText({ text, record, isCorrected, choices, ...wanted }: Wanted): Promise<void> {
  try {
    const { name, created } = record.metadata
    const { aboutWith, patternName } = await import('./apply-choices.ts')
    const date = created.slice(0, 10)
    const parts = { name, date, id: record.id, speakers: text.names, corrected: isCorrected }
    const fileName = patternName(choices?.pattern ?? '{name} {corrected}', wanted.format, parts)
    const about = choices === undefined ? describeFile(record) : aboutWith(describeFile(record), choices)
    const table = text.table.columns()
    const made = await makeFile({ kind: 'table', table, names: text.names, about, ...wanted })
    if (made === null) return
    saveFile(made.content, fileName)
    showToast(savedMessage(fileName, isCorrected, made.warnings))
  } catch {
    const detail = 'Try another format, or reload the page.'
    showToast({ tone: 'bad', title: 'Could not create the file', detail })
  }
}

function savedMessage(fileName: string, isCorrected: boolean, warnings: number): { title: string; detail: string } {
  const text = isCorrected ? 'With your corrections.' : 'The original, without corrections.'
  if (warnings === 0) return { title: `Saved ${fileName}`, detail: text }
  const title = `${formatCount(warnings, 'caption')} ${warnings === 1 ? 'breaks' : 'break'} a rule`
  return { title, detail: 'The speech is too fast or too dense there for any captions that keep to them.' }
}

import type { CueParameters } from '../../../formats/captions/cues.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import type { TableColumns } from '../model/word-table.ts'
import type { About } from './transcript-of-table.ts'

export type ExportRequest = {
  columns: TableColumns
  names: readonly string[]
  about: About
  format: ExportFormat
  captions: CueParameters
}

export type ExportAnswer =
  | { kind: 'file'; content: Blob /** captions that break the limits asked for */; warnings: number }
  | { kind: 'failed' }

import type { FileRecord } from '../../api/metadata-reader.ts'
import type { FileRow } from '../../library/library-rows.ts'
import type { Dates } from '../../ui/dates.ts'

/** What a cell is drawn from: a file whose metadata is read. */
export type CellProps = {
  row: FileRow
  record: FileRecord
  /** the time in milliseconds */
  now: number
  dates: Dates
  deletesWhenReady: boolean
}

import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'

/** What a cell is drawn from: a file whose metadata is read. */
export type CellProps = {
  row: FileRow
  record: FileRecord
  /** the time in milliseconds */
  now: number
  dates: Dates
  deletesWhenReady: boolean
}

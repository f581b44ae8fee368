import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'

/** Props of a cell of a file whose metadata are read. */
export type CellProps = {
  row: FileRow
  record: FileRecord
  /** current time in milliseconds */
  now: number
  dates: Dates
  deletesWhenReady: boolean
}

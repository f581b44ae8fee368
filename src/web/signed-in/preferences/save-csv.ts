import { withSemicolons } from '../../../contract/common/csv.ts'
import { saveFile } from '../../base/ui/save-file.ts'
import { preferences } from './preferences.ts'

/** Saves a table with the separator of the preferences, as UTF-8 with a byte order mark, which spreadsheets need. */
export function saveCsv(csv: string, name: string): void {
  const table = preferences.get().csvSeparator === 'semicolon' ? withSemicolons(csv) : csv
  saveFile(new Blob(['\ufeff', table.replace(/^\ufeff/, '')], { type: 'text/csv;charset=utf-8' }), name)
}

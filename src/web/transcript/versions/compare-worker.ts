import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { type TableColumns, WordTable } from '../model/word-table.ts'
import { compareVersions } from './compare-versions.ts'

/** Two versions of a text, which its page posts. */
export type CompareRequest = { table: TableColumns; earlier: CorrectionSet; now: CorrectionSet }

self.addEventListener('message', ({ data }: MessageEvent<CompareRequest>) => {
  self.postMessage(compareVersions(WordTable.of(data.table), data.earlier, data.now))
})

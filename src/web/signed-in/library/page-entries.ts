import type { Environment } from '../../../contract/interface/environment.ts'
import { retentionMs } from '../../../contract/interface/limits.ts'
import { firstPageUrl } from '../../base/api/addresses.ts'
import { authorization } from '../../base/api/authorization.ts'
import type { Session } from '../../base/api/client.ts'
import { earlyAnswers } from '../../base/api/early-answers.ts'
import {
  type FileRecord,
  looseMetadata,
  MetadataError,
  type RecordSource,
  recordOf,
} from '../../base/api/metadata-reader.ts'
import type { RowProblem } from './library-messages.ts'

/** A page of the account's files: for each its record, or why there is none. */
export type ReadRows = { records: FileRecord[]; problems: RowProblem[] }

export type PageEntry = { id: string; [field: string]: unknown }

/** Reads the entries of a page one by one, so that a broken one does not affect others. */
export function readEntries(entries: readonly PageEntry[], environment: Environment): ReadRows {
  const rows: ReadRows = { records: [], problems: [] }
  for (const entry of entries) {
    try {
      const source = { ...(entry as unknown as RecordSource), metadata: looseMetadata(entry.metadata) }
      rows.records.push(recordOf(source, retentionMs(environment)))
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error
      rows.problems.push({ id: entry.id, message: error.message })
    }
  }
  return rows
}

/** The newest files and the total number; rows in the service's order. */
export type FirstFiles = ReadRows & { ids: string[]; total: number }

/**
 * The newest files, if requested before this page's code loaded: null if that failed, undefined if they were not
 * requested.
 */
export function claimFirstPage({ environment, key }: Session): Promise<FirstFiles | null> | undefined {
  const headers = { Authorization: authorization(key) }
  const asked = earlyAnswers.claim(firstPageUrl(environment), { headers })
  return asked?.then(async (answer) => (answer.ok ? readFirstPage(await answer.json(), environment) : null))
}

/** Parses the response of `firstPageUrl`. @throws TypeError if it is not a page */
function readFirstPage(page: unknown, environment: Environment): FirstFiles {
  const { files, total } = page as { files: PageEntry[]; total: number }
  const entries = files.filter(({ id }) => typeof id === 'string')
  const ids = entries.map(({ id }) => id)
  return { ...readEntries(entries, environment), ids, total: Number.isInteger(total) ? total : ids.length }
}

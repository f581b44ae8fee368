import type { FileChanges, FilePage } from '../../../contract/account/file-pages.ts'
import { maxFilesPerPage } from '../../../contract/interface/limits.ts'
import { pageUrl } from '../../base/api/addresses.ts'
import { type Credentials, readJson, request } from '../../base/api/client.ts'
import { type PageEntry, type ReadRows, readEntries } from './page-entries.ts'

/** The first page is small, to show its rows while the others load. */
const firstPageSize = 100

type Loose<Page> = Omit<Page, 'files'> & { files: PageEntry[] }

/**
 * Page parsers written by hand: zod would be two thirds of the worker. Checks only the ids of entries, since they are
 * read one by one below, so that a broken one does not affect others.
 */
function pageReader<Page extends { version: number }>(isOwn: (page: Page) => boolean) {
  return {
    parse(value: unknown): Loose<Page> {
      const page = value as Loose<Page> & Page
      const hasIds = Array.isArray(page.files) && page.files.every((entry: PageEntry) => typeof entry?.id === 'string')
      if (!hasIds || !Number.isInteger(page.version) || !isOwn(page))
        throw new TypeError('The service did not send a page of files.')
      return page
    },
  }
}
const loosePage = pageReader<FilePage>(
  ({ total, next_cursor }) => Number.isInteger(total) && (next_cursor === null || typeof next_cursor === 'string'),
)
const looseChanges = pageReader<FileChanges>(
  ({ deleted, more, resync }) => Array.isArray(deleted) && typeof more === 'boolean' && typeof resync === 'boolean',
)

async function get(credentials: Credentials, query: Record<string, string>): Promise<Response> {
  return await request(credentials, pageUrl(credentials.environment, query))
}

/**
 * Reads metadata of all files in pages, newest first (account interface).
 * @returns the version from which to request changes: that of the first page, so that nothing in between is missed
 */
export async function readAllPages(
  credentials: Credentials,
  onPage: (rows: ReadRows, total: number) => void,
): Promise<number> {
  let cursor: string | null = null
  let version: number | null = null
  do {
    const limit = cursor === null ? firstPageSize : maxFilesPerPage
    const query: Record<string, string> = { limit: String(limit), ...(cursor === null ? {} : { cursor }) }
    const page = await readJson(await get(credentials, query), loosePage)
    version ??= page.version
    cursor = page.next_cursor
    onPage(readEntries(page.files, credentials.environment), page.total)
  } while (cursor !== null)
  return version
}

/**
 * Reads changes since a version.
 * @returns the version to continue from, or null if the service requires a full read
 */
export async function readChanges(
  credentials: Credentials,
  since: number,
  onChanges: (rows: ReadRows, deleted: string[]) => void,
): Promise<number | null> {
  let version = since
  for (;;) {
    const query = { since: String(version), limit: String(maxFilesPerPage) }
    const changes = await readJson(await get(credentials, query), looseChanges)
    if (changes.resync) return null
    onChanges(readEntries(changes.files, credentials.environment), changes.deleted)
    version = changes.version
    if (!changes.more) return version
  }
}

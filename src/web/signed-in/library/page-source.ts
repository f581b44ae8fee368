import * as z from 'zod/mini'
import { fileChanges, filePage } from '../../../contract/account/file-pages.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import { maxFilesPerPage, retentionMs } from '../../../contract/interface/limits.ts'
import { entryUrl, firstPageUrl, pageUrl } from '../../base/api/addresses.ts'
import { authorization } from '../../base/api/authorization.ts'
import { readJson, request, type Session } from '../../base/api/client.ts'
import { earlyAnswers } from '../../base/api/early-answers.ts'
import {
  type FileRecord,
  looseMetadata,
  MetadataError,
  type RecordSource,
  toFileRecord,
} from '../../base/api/metadata-reader.ts'
import type { FileSource, LibraryPort } from './file-source.ts'
import type { ReadRows } from './library-rows.ts'

/** The first page is small, to show its rows while the others load. */
const firstPageSize = 100

type PageEntry = { id: string; [field: string]: unknown }

/** Metadata of all files in pages, newest first, then changes by version (account interface). */
export const pageSource: FileSource = {
  read: async (library, signal) => {
    const { version } = library.list
    const changed = version === null ? null : await readChanges(library, version, signal)
    if (changed === null) await readAllPages(library, signal)
    else library.complete(changed, null)
  },
  readOne: async (session, id, signal) => {
    const { environment } = session
    const response = await request(session, entryUrl(environment, id), { signal: signal ?? null })
    return readEntry(await readJson(response, pageEntry), environment)
  },
  everyMs: 0,
  canRestart: false,
}

/** Reads everything. The version is that of the first page, so that no change in between is missed. */
async function readAllPages(library: LibraryPort, signal: AbortSignal): Promise<void> {
  const ids: string[] = []
  let cursor: string | null = null
  let version: number | null = null
  do {
    const limit = cursor === null ? firstPageSize : maxFilesPerPage
    const query: Record<string, string> = { limit: String(limit), ...(cursor === null ? {} : { cursor }) }
    const page: LoosePage = await get(library.session, query, signal, loosePage)
    version ??= page.version
    cursor = page.next_cursor
    ids.push(...page.files.map(({ id }) => id))
    storePage(library, page)
  } while (cursor !== null)
  library.complete(version, ids)
}

/** @returns the version to continue from, or null if the service requires a full read */
async function readChanges(library: LibraryPort, since: number, signal: AbortSignal): Promise<number | null> {
  let version = since
  for (;;) {
    const query = { since: String(version), limit: String(maxFilesPerPage) }
    const changes: LooseChanges = await get(library.session, query, signal, looseChanges)
    if (changes.resync) return null
    library.remove(changes.deleted)
    library.store(readEntries(changes.files, library.session.environment))
    version = changes.version
    if (!changes.more) return version
  }
}

async function get<Page>(
  session: Session,
  query: Record<string, string>,
  signal: AbortSignal,
  reader: { parse(value: unknown): Page },
): Promise<Page> {
  return await readJson(await request(session, pageUrl(session.environment, query), { signal }), reader)
}

/** Only the ids of entries are checked here: they are read one by one, so that a broken one does not affect others. */
const pageEntry = z.custom<PageEntry>((entry) => typeof (entry as PageEntry | null)?.id === 'string')
const entries = z.array(pageEntry)
const loosePage = z.object({ ...filePage.shape, files: entries })
type LoosePage = z.infer<typeof loosePage>
const looseChanges = z.object({ ...fileChanges.shape, files: entries })
type LooseChanges = z.infer<typeof looseChanges>

/** @throws MetadataError */
function readEntry(entry: PageEntry, environment: Environment): FileRecord {
  const source = { ...(entry as unknown as RecordSource), metadata: looseMetadata(entry.metadata) }
  return toFileRecord(source, retentionMs(environment))
}

function readEntries(entries: readonly PageEntry[], environment: Environment): ReadRows {
  const rows: ReadRows = { records: [], problems: [] }
  for (const entry of entries) {
    try {
      rows.records.push(readEntry(entry, environment))
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error
      rows.problems.push({ id: entry.id, message: error.message })
    }
  }
  return rows
}

/** Stores the newest files, if they were requested before this page's code loaded. @throws ApiError */
export async function readEarlyPage(library: LibraryPort): Promise<void> {
  const { environment, key } = library.session
  const headers = { Authorization: authorization(key) }
  const answer = await earlyAnswers.claim(firstPageUrl(environment), { headers })
  if (answer?.ok) storePage(library, await readJson(answer, loosePage))
}

function storePage(library: LibraryPort, { files, total }: LoosePage): void {
  library.update((known) => ({ ...known, total }))
  library.store(readEntries(files, library.session.environment))
  library.showFirst()
}

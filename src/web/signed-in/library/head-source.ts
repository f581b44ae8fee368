import { ApiError } from '../../base/api/client.ts'
import { firstScreen } from '../../base/api/early-answers.ts'
import { fetchFileIds, fetchRecord } from '../../base/api/file-metadata.ts'
import { files } from '../../base/api/files.ts'
import { queryClient, retries } from '../../base/api/query-client.ts'
import type { FileSource, LibraryPort } from './file-source.ts'
import { allRows, arrangeRows, isRead, unfinishedIds } from './library-rows.ts'

/** The page's other requests share the browser's six connections to the service. */
const headLimit = 4

/** At most this many unfinished files are read again with each poll. */
const maxPolled = 60
/** Lets the first rows paint before reading more. */
const paintMs = 100

/** Some files could not be read because of a failing service; the next attempt reads only those. */
export class RowsFailed extends Error {}

/** The list of ids, and one HEAD for each file (spec 4.1, 4.3), for services without the account interface. */
export const headSource: FileSource = {
  read: async (library, signal) => {
    const ids = await fetchFileIds(library.session, signal)
    library.update((known) => ({ ...arrangeRows(known, ids), total: ids.length }))
    if (!allRows(library.list).some(isRead)) {
      await Promise.allSettled(ids.slice(0, firstScreen).map((id) => readRow(library, id)))
      library.showFirst()
      await new Promise((resolve) => setTimeout(resolve, paintMs))
    }
    const unread = allRows(library.list).filter(({ record }) => record === null)
    // At first all that come from this device's cache, later a few at a time.
    const { complete, cachedAt } = library.list
    const unfinished = unfinishedIds(library.list, complete ? maxPolled : cachedAt === null ? 0 : ids.length)
    const hasFailed = await readOneByOne(library, [...unread.map(({ id }) => id), ...unfinished], signal)
    if (signal.aborted) return
    library.complete(null, ids)
    if (hasFailed) throw new RowsFailed()
  },
  readOne: fetchRecord,
  everyMs: 120,
  canRestart: true,
}

/**
 * Reads files one by one, a few at a time, those on screen first. A failing file's row shows its problem.
 * @returns whether some may be read later
 * @throws ApiError if nothing can be read at the moment: no connection, too many requests, a refused key
 */
export async function readOneByOne(
  library: LibraryPort,
  ids: Iterable<string>,
  signal?: AbortSignal,
): Promise<boolean> {
  const waiting = new Set(ids)
  let hasFailed = false
  const next = (): string | undefined => library.wanted.find((id) => waiting.has(id)) ?? waiting.values().next().value
  const readNext = async () => {
    for (let id = next(); id !== undefined && !signal?.aborted; id = next()) {
      waiting.delete(id)
      if (!(await readRow(library, id))) hasFailed = true
    }
  }
  try {
    await Promise.all(Array.from({ length: headLimit }, readNext))
  } finally {
    waiting.clear()
  }
  return hasFailed
}

const isServerError = (error: unknown) => error instanceof ApiError && error.status >= 500

/** @returns whether it was read, or cannot be */
async function readRow(library: LibraryPort, id: string): Promise<boolean> {
  try {
    await queryClient.query({
      ...files.reading(library.session, id, (signal) => library.read(id, signal)),
      staleTime: 0,
      gcTime: 0,
      networkMode: 'always',
      // Query pauses retries in a hidden tab, which may be polling.
      retry: (failures, error) => isServerError(error) && !document.hidden && retries.retry(failures, error),
    })
  } catch (error) {
    const status = error instanceof ApiError ? error.status : null
    if (status === 0 || status === 401 || status === 429) throw error
    if (status !== 404) library.store({ records: [], problems: [{ id, message: (error as Error).message }] })
    return !isServerError(error)
  }
  return true
}

import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import type { Session } from '../../base/api/client.ts'
import { files } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { queryClient, startQueries } from '../../base/api/query-client.ts'
import { useSignal } from '../../base/state/signal.ts'
import { requireSession, useSession } from '../session/session.ts'
import type { FileLibrary } from './library.ts'
import { getLive } from './live.ts'

/** Polling interval of a file in progress, if no events arrive. */
const pollMs = 5_000

function reading(library: FileLibrary, id: string) {
  return files.reading(library.session, id, (signal) => library.read(id, signal))
}

/** Reads a file into the library, known or not. @throws ApiError, MetadataError */
export async function readFile(library: FileLibrary, id: string): Promise<void> {
  await queryClient.query({ ...reading(library, id), staleTime: 0 })
}

/**
 * The record of a file: the library's, else read alone. Records live in the library alone; a copy in the query cache
 * would have to be kept in sync. @throws ApiError, MetadataError
 */
export async function knownFile(session: Session, id: string): Promise<FileRecord> {
  const { library } = getLive(session)
  if (library.row(id)?.record == null) await readFile(library, id)
  const record = library.row(id)?.record
  if (record == null) throw new TypeError(`The library lost ${id} while it was read.`)
  return record
}

/** Loader of a page for the file in its URL: reads it, unless known, in parallel with the page's code. */
export function fileLoader({ params, request }: LoaderFunctionArgs): null {
  startQueries(knownFile(requireSession(params, request), params.id ?? ''))
  return null
}

type FileState = { record: FileRecord; error: null } | { record: null; error: Error | null }

/**
 * One file of the library; re-renders on changes. A file that the library does not have is read alone: until that
 * responds there is neither record nor error.
 */
export function useFile(id: string): FileState {
  const { library, events } = getLive(useSession())
  const record = useSyncExternalStore(library.snapshot.subscribe, () => library.row(id)?.record ?? null)
  const hasEvents = useSignal(events.state) === 'live'
  const isPolled = record !== null && record.percent !== 100 && !hasEvents
  const { error, isFetching } = useQuery({
    ...reading(library, id),
    enabled: record === null || isPolled,
    staleTime: isPolled ? pollMs : 0,
    refetchInterval: isPolled ? pollMs : false,
  })
  // A previous error is stale while another read is in progress.
  return record === null ? { record, error: isFetching ? null : error } : { record, error: null }
}

/** Files as the library has them now, those included that were deleted since they were chosen; re-renders on changes. */
export function useFiles(chosen: readonly FileRecord[]): readonly FileRecord[] {
  const { library } = getLive(useSession())
  useSignal(library.snapshot)
  return chosen.map((record) => library.row(record.id)?.record ?? record)
}

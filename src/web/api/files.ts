import { queryOptions } from '@tanstack/react-query'
import { type FileId, fileList } from '../../contract/metadata.ts'
import { metadataHeader } from '../../contract/metadata-header.ts'
import type { TranscriptFormat } from '../../contract/transcript-formats.ts'
import { apiUrl, filePath } from './addresses.ts'
import { type Credentials, readJson, request, type Session } from './client.ts'
import { type FileRecord, readMetadataHeader, recordOf } from './metadata-reader.ts'
import { retentionMs } from './retention.ts'

/** All file ids of the account (spec 4.1), in the service's order. */
export async function fetchFileIds(credentials: Credentials, signal?: AbortSignal): Promise<string[]> {
  const response = await request(credentials, apiUrl(credentials.environment, 'files'), { signal: signal ?? null })
  return await readJson(response, fileIds)
}

/** `fileList` of the contract, looked through without a copy: of ten thousand entries that takes a fifth of the time. */
const fileIds = {
  parse(value: unknown): string[] {
    const isList = Array.isArray(value) && value.every((entry) => typeof entry?.id === 'string')
    return isList ? value.map(({ id }: FileId) => id) : fileList.parse(value).map(({ id }) => id)
  },
}

/**
 * Metadata of one file by HEAD (spec 4.3).
 * @throws ApiError as for every request, MetadataError where the header cannot be read
 */
export async function fetchRecord(credentials: Credentials, id: string, signal?: AbortSignal): Promise<FileRecord> {
  const url = apiUrl(credentials.environment, filePath(id))
  const response = await request(credentials, url, { method: 'HEAD', signal: signal ?? null })
  const metadata = readMetadataHeader(response.headers.get(metadataHeader))
  return recordOf({ id, metadata }, retentionMs(credentials.environment))
}

/** A transcript in a format (spec 4.4); below 100 % the service answers with the work-in-progress text. */
export async function fetchTranscript(
  credentials: Credentials,
  id: string,
  format: TranscriptFormat,
  signal?: AbortSignal,
): Promise<Response> {
  return await request(credentials, apiUrl(credentials.environment, filePath(id, format)), { signal: signal ?? null })
}

/** Deletes a file (spec 4.5). @throws ApiError 404 where it is gone already, 409 from 60 to under 100 % */
export async function deleteFile(credentials: Credentials, id: string): Promise<void> {
  await request(credentials, apiUrl(credentials.environment, filePath(id)), { method: 'DELETE' })
}

/** Queries of single files. The list of all is kept by the library, which patches what is cached here. */
export const files = {
  all: (session: Session) => [session.environment, session.account, 'files'] as const,
  one: (session: Session, id: string) =>
    queryOptions({
      queryKey: [...files.all(session), id] as const,
      queryFn: ({ signal }) => fetchRecord(session, id, signal),
      staleTime: ({ state }) => (state.data?.percent === 100 ? Number.POSITIVE_INFINITY : 5_000),
    }),
}

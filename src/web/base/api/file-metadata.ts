import { metadataHeader } from '../../../contract/interface/headers.ts'
import { retentionMs } from '../../../contract/interface/limits.ts'
import type { FileId } from '../../../contract/interface/metadata.ts'
import { apiUrl, filePath } from './addresses.ts'
import { type Credentials, readJson, request } from './client.ts'
import { type FileRecord, readMetadataHeader, toFileRecord } from './metadata-reader.ts'

/** All file ids of the account (spec 4.1), in the service's order. */
export async function fetchFileIds(credentials: Credentials, signal?: AbortSignal): Promise<string[]> {
  const response = await request(credentials, apiUrl(credentials.environment, 'files'), { signal: signal ?? null })
  return await readJson(response, fileIds)
}

/** Ids of the contract's `fileList`, parsed by hand: ten thousand in a fifth of the time, and no zod in the worker. */
const fileIds = {
  parse(value: unknown): string[] {
    const isList = Array.isArray(value) && value.every((entry) => typeof entry?.id === 'string')
    if (!isList) throw new TypeError('The service did not send a list of files.')
    return value.map(({ id }: FileId) => id)
  },
}

/**
 * Metadata of one file by HEAD (spec 4.3).
 * @throws ApiError as for every request, MetadataError if the header cannot be parsed
 */
export async function fetchRecord(credentials: Credentials, id: string, signal?: AbortSignal): Promise<FileRecord> {
  const url = apiUrl(credentials.environment, filePath(id))
  const response = await request(credentials, url, { method: 'HEAD', signal: signal ?? null })
  const metadata = readMetadataHeader(response.headers.get(metadataHeader))
  return toFileRecord({ id, metadata }, retentionMs(credentials.environment))
}

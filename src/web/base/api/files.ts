import { queryOptions } from '@tanstack/react-query'
import { deleteWhenReady } from '../../../contract/account/file-pages.ts'
import type { MenuFormat, TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { accountUrl, apiUrl, filePath } from './addresses.ts'
import { accountKey, type Credentials, readJson, request, type Session } from './client.ts'
import { fetchPeaks, fetchPlayback } from './playback.ts'

/** A transcript in a format (spec 4.4); below 100 % the service returns the work-in-progress text. */
export async function fetchTranscript(
  credentials: Credentials,
  id: string,
  format: TranscriptFormat,
  signal?: AbortSignal,
): Promise<Response> {
  return await request(credentials, apiUrl(credentials.environment, filePath(id, format)), { signal: signal ?? null })
}

/** A transcript with the corrections stored by the service. @throws ApiError 404 if it stores none */
export async function fetchCorrected(
  credentials: Credentials,
  id: string,
  format: MenuFormat,
  signal?: AbortSignal,
): Promise<Response> {
  const url = accountUrl(credentials.environment, `files/${id}/corrected/${format}`)
  return await request(credentials, url, { signal: signal ?? null })
}

/**
 * Deletes a file (spec 4.5).
 * @param minRefundCents what was shown as the refund (decision 155); NaN: nothing was
 * @throws ApiError 404 if it is already gone, 409 from 60 to under 100 %, or if less would be refunded
 */
export async function deleteFile(credentials: Credentials, id: string, minRefundCents = 0): Promise<void> {
  const headers: HeadersInit = minRefundCents > 0 ? { 'Min-Refund-Cents': `${minRefundCents}` } : {}
  await request(credentials, apiUrl(credentials.environment, filePath(id)), { method: 'DELETE', headers })
}

/** Queries of files. */
export const files = {
  all: (session: Session) => [...accountKey(session), 'files'] as const,
  /** The key of the list with every file's metadata, which the library reads. */
  list: (session: Session) => [...accountKey(session), 'list'] as const,
  /**
   * Reads one file's metadata, once for all concurrent callers, with the usual retries.
   * @param read reads them and stores them in the list
   */
  reading: (session: Session, id: string, read: (signal: AbortSignal) => Promise<void>) =>
    queryOptions({
      queryKey: [...files.all(session), id, 'metadata'] as const,
      queryFn: async ({ signal }) => {
        await read(signal)
        return null
      },
    }),
  /** The text of a file in progress, as of a percentage. */
  textSoFar: (session: Session, id: string, percent: number) =>
    queryOptions({
      queryKey: [...files.all(session), id, 'text so far', percent] as const,
      queryFn: async ({ signal }) => (await fetchTranscript(session, id, 'txt', signal)).text(),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Playback URL of its recording; null if the service offers none. */
  playback: (session: Session, id: string) =>
    queryOptions({
      queryKey: [...files.all(session), id, 'playback'] as const,
      queryFn: () => fetchPlayback(session, id),
      // The URL is short-lived: valid for one visit, which begins soon after the page's loader has requested it.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10_000,
    }),
  /** Bytes of its waveform; null if the service has none (yet). */
  peaks: (session: Session, id: string) =>
    queryOptions({
      queryKey: [...files.all(session), id, 'peaks'] as const,
      queryFn: () => fetchPeaks(session, id),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** The same at the service's full resolution. */
  finePeaks: (session: Session, id: string) =>
    queryOptions({
      queryKey: [...files.all(session), id, 'fine peaks'] as const,
      queryFn: () => fetchPeaks(session, id, true),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
}

/** Asks the service to delete a file once it is ready, or cancels that. A ready file is deleted immediately. */
export async function setDeleteWhenReady(
  credentials: Credentials,
  id: string,
  on: boolean,
): Promise<{ delete_when_ready: boolean; deleted: boolean }> {
  const url = accountUrl(credentials.environment, `files/${encodeURIComponent(id)}/delete-when-ready`)
  return await readJson(await request(credentials, url, { method: on ? 'PUT' : 'DELETE' }), deleteWhenReady)
}

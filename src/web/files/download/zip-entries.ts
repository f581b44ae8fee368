import type { TranscriptFormat } from '../../../contract/transcript-formats.ts'
import type { Credentials } from '../../api/client.ts'
import { ApiError } from '../../api/client.ts'
import { dispositionName } from '../../api/disposition-name.ts'
import { fetchTranscript } from '../../api/files.ts'

/** A file of the archive to be. */
export type ZipItem = { id: string; name: string }
type ZipFailure = ZipItem & { reason: string }
export type ZipProgress = { done: number; failures: readonly ZipFailure[] }

const maxAttempts = 4

/**
 * `Talk.txt` where that is free, else `Talk (2).txt`; names differ in more than case, since some file systems ignore
 * it.
 */
export function uniqueName(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? []
  let unique = name
  for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${stem} (${count})${ending}`
  taken.add(unique.toLowerCase())
  return unique
}

/**
 * The transcripts of an archive one after the other, so that memory holds one at a time. What fails is left out and
 * reported; a 429 waits as long as the service asks.
 */
export async function* zipEntries(
  credentials: Credentials,
  items: readonly ZipItem[],
  format: TranscriptFormat,
  signal: AbortSignal,
  onProgress: (progress: ZipProgress) => void,
): AsyncGenerator<{ name: string; input: Response }> {
  const taken = new Set<string>()
  const failures: ZipFailure[] = []
  for (const [index, item] of items.entries()) {
    signal.throwIfAborted()
    try {
      const response = await fetchPatiently(credentials, item.id, format, signal)
      const name = dispositionName(response.headers.get('Content-Disposition'), `${item.name}.${format}`)
      yield { name: uniqueName(name, taken), input: response }
    } catch (error) {
      signal.throwIfAborted()
      failures.push({ ...item, reason: error instanceof ApiError ? error.message : 'The download broke off.' })
    }
    onProgress({ done: index + 1, failures: [...failures] })
  }
  if (failures.length > 0) {
    const lines = failures.map(({ name, id, reason }) => `${name} (${id}): ${reason}`)
    const report = `These files are missing from this archive:\r\n\r\n${lines.join('\r\n')}\r\n`
    yield { name: uniqueName('Missing files.txt', taken), input: new Response(report) }
  }
}

async function fetchPatiently(
  credentials: Credentials,
  id: string,
  format: TranscriptFormat,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchTranscript(credentials, id, format, signal)
    } catch (error) {
      const passing = error instanceof ApiError && (error.status === 429 || error.status === 0 || error.status >= 500)
      if (!passing || attempt === maxAttempts) throw error
      const waitMs = error.retryAfterMs ?? 400 * attempt
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

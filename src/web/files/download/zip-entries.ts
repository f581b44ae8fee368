import { safeFileName } from '../../../contract/file-name.ts'
import type { TranscriptFormat } from '../../../contract/transcript-formats.ts'
import { ApiError, isWorthRetrying, type Session } from '../../api/client.ts'
import { dispositionName } from '../../api/disposition-name.ts'
import { fetchTranscript } from '../../api/files.ts'
import { correctedText } from '../../library/corrected-text.ts'
import type { About } from '../../library/make-file.ts'

/** A file of the archive to be. `about`: to be taken corrected; null for the original. */
export type ZipItem = { id: string; name: string; about: About | null }
type ZipFailure = Pick<ZipItem, 'id' | 'name'> & { reason: string }
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
  session: Session,
  items: readonly ZipItem[],
  format: TranscriptFormat,
  signal: AbortSignal,
  onProgress: (progress: ZipProgress) => void,
): AsyncGenerator<{ name: string; input: Response | Blob }> {
  const taken = new Set<string>()
  const failures: ZipFailure[] = []
  for (const [index, item] of items.entries()) {
    signal.throwIfAborted()
    try {
      const { name, input } = await patiently(() => transcriptOf(session, item, format, signal))
      yield { name: uniqueName(name, taken), input }
    } catch (error) {
      signal.throwIfAborted()
      failures.push({
        id: item.id,
        name: item.name,
        reason: error instanceof ApiError ? error.message : 'The download was interrupted.',
      })
    }
    onProgress({ done: index + 1, failures: [...failures] })
  }
  if (failures.length > 0) {
    const lines = failures.map(({ name, id, reason }) => `${name} (${id}): ${reason}`)
    const report = `These files are missing from this ZIP:\r\n\r\n${lines.join('\r\n')}\r\n`
    yield { name: uniqueName('Missing files.txt', taken), input: new Response(report) }
  }
}

async function transcriptOf(
  session: Session,
  { id, name, about }: ZipItem,
  format: TranscriptFormat,
  signal: AbortSignal,
): Promise<{ name: string; input: Response | Blob }> {
  const made = about && (await correctedText(session, id, about, format, signal))
  if (made !== null) return { name: safeFileName(`${name} corrected.${format}`), input: made.content }
  const input = await fetchTranscript(session, id, format, signal)
  return { name: dispositionName(input.headers.get('Content-Disposition'), `${name}.${format}`), input }
}

async function patiently<Value>(get: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await get()
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === maxAttempts) throw error
      const waitMs = (error as ApiError).retryAfterMs ?? 400 * attempt
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

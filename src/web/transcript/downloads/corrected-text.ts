import type { TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { fetchCorrected } from '../../base/api/files.ts'
import { type About, type Maker, makeFile } from './make-file.ts'

/**
 * A corrected transcript as a file: the service's, or one made here if this device has unsent corrections. `left`:
 * corrections that do not fit a newer transcript. Null if nothing is corrected.
 * @throws ApiError
 */
export async function correctedText(
  session: Session,
  id: string,
  about: About,
  format: TranscriptFormat,
  signal?: AbortSignal,
  maker?: Maker,
): Promise<{ content: Blob; left: number } | null> {
  const made = await makeFile({ kind: 'unsent', session, id, ordered: about.options, about, format }, maker)
  if (made !== null) return made
  try {
    return { content: await (await fetchCorrected(session, id, format, signal)).blob(), left: 0 }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

import type { LoaderFunctionArgs } from 'react-router'
import { files } from '../../base/api/files.ts'
import { queryClient, startQueries } from '../../base/api/query-client.ts'
import { getLive } from '../../signed-in/library/live.ts'
import { knownFile } from '../../signed-in/library/use-file.ts'
import { requireSession } from '../../signed-in/session/session.ts'
import { WordsLoad } from '../model/words-load.ts'

/**
 * Requests everything that a transcript page shows first, in parallel with the page's code: the words only need the id,
 * so they do not wait for the file's metadata, which the library may already have.
 * @returns the words being loaded; null for a file in progress, which has none yet
 * @throws ApiError, MetadataError if the file is unknown and cannot be loaded
 */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<WordsLoad | null> {
  const session = requireSession(params, request)
  const id = params.id ?? ''
  startQueries(queryClient.query(files.playback(session, id)), queryClient.query(files.peaks(session, id)))
  const listed = getLive(session).library.row(id)?.record
  if (listed && listed.percent !== 100) return null
  const words = WordsLoad.of(session, id)
  // The navigation was canceled before the page was shown.
  request.signal.addEventListener('abort', () => words.stop())
  try {
    const { percent } = listed ?? (await knownFile(session, id))
    if (percent === 100) return words
  } catch (error) {
    words.stop()
    throw error
  }
  words.stop()
  return null
}

import { type Credentials, tellKeyRefused } from '../../api/client.ts'
import type { WordsMessage, WordsRequest } from './words-protocol.ts'

/**
 * Reads a transcript's words in a worker of its own and hands them over as they come. Returns a function that stops.
 * @param url of the JSON format (spec 4.4)
 */
export function loadWords(credentials: Credentials, url: string, onMessage: (message: WordsMessage) => void): () => void {
  const worker = new Worker(new URL('./words-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<WordsMessage>) => {
    if (data.kind === 'failed' && data.status === 401) tellKeyRefused(credentials)
    onMessage(data)
    if (data.kind !== 'chunk') worker.terminate()
  })
  worker.addEventListener('error', () => {
    onMessage({ kind: 'failed', status: 0, message: 'This page could not read the transcript. Load it again.' })
    worker.terminate()
  })
  worker.postMessage({ credentials, url } satisfies WordsRequest)
  return () => worker.terminate()
}

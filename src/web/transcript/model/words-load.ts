import { tellKeyRefused } from '../../api/client.ts'
import type { WordsMessage, WordsRequest } from './words-protocol.ts'

/** Reads a transcript in a worker of its own and hands it over as it comes. Returns a function that stops. */
export function loadWords(wanted: WordsRequest, onMessage: (message: WordsMessage) => void): () => void {
  const worker = new Worker(new URL('./words-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<WordsMessage>) => {
    if (data.kind === 'failed' && data.status === 401) tellKeyRefused(wanted.credentials)
    if (data.kind === 'failed' || data.kind === 'lines') worker.terminate()
    onMessage(data)
  })
  worker.addEventListener('error', () => {
    worker.terminate()
    onMessage({ kind: 'failed', status: 0, message: 'This page could not read the transcript. Load it again.' })
  })
  worker.postMessage(wanted)
  return () => worker.terminate()
}

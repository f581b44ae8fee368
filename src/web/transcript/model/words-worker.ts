import { ApiError, request } from '../../api/client.ts'
import { readWords } from './read-words.ts'
import { transferOf } from './word.ts'
import type { WordsMessage, WordsRequest } from './words-protocol.ts'

function tell(message: WordsMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer })
}

async function read({ credentials, url }: WordsRequest): Promise<void> {
  try {
    const response = await request(credentials, url)
    if (response.body === null) throw new ApiError(response.status, 'The service sent no transcript.')
    const { end, skipped, fingerprint } = await readWords(response.body, (chunk) =>
      tell({ kind: 'chunk', chunk }, transferOf(chunk)),
    )
    tell({ kind: 'end', as: end, skipped, fingerprint })
  } catch (error) {
    if (error instanceof ApiError) tell({ kind: 'failed', status: error.status, message: error.message })
    else tell({ kind: 'failed', status: 0, message: 'The connection broke while the transcript was read.' })
  }
}

self.addEventListener('message', (event: MessageEvent<WordsRequest>) => void read(event.data))

import type { TextShape } from '../../../formats/read-txt.ts'
import { apiUrl, filePath } from '../../api/addresses.ts'
import { type Session, tellKeyRefused } from '../../api/client.ts'
import type { ShapeMessage, WordsMessage, WordsRequest } from './words-protocol.ts'

/**
 * The words of one file on their way, read in a worker of their own from the moment this is made. The page's loader makes
 * it from the file's id alone, before the page's code or anything of the file is there: what arrives meanwhile waits.
 */
export class WordsLoad {
  readonly #worker: Worker
  #waiting: WordsMessage[] = []
  #listener: ((message: WordsMessage) => void) | null = null
  #isUsed = false

  constructor(session: Session, id: string) {
    const { environment, key } = session
    this.#worker = new Worker(new URL('./words-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WordsMessage>) => {
      if (data.kind === 'failed' && data.status === 401) tellKeyRefused(session)
      if (data.kind === 'failed' || data.kind === 'lines') this.#worker.terminate()
      this.#emit(data)
    })
    this.#worker.addEventListener('error', () => {
      this.#worker.terminate()
      this.#emit({ kind: 'failed', status: 0, message: 'This page could not read the transcript. Load it again.' })
    })
    const request: WordsRequest = {
      kind: 'read',
      credentials: { environment, key },
      jsonUrl: apiUrl(environment, filePath(id, 'json')),
      txtUrl: apiUrl(environment, filePath(id, 'txt')),
    }
    this.#worker.postMessage(request)
  }

  /** Somebody listened, or it was stopped: the words are not here for a second reader. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  /** Calls back, in order, with all that has arrived and will arrive. @param shape of the file's text format */
  listen(shape: TextShape, listener: (message: WordsMessage) => void): void {
    this.#isUsed = true
    this.#listener = listener
    this.#worker.postMessage({ kind: 'shape', shape } satisfies ShapeMessage)
    for (const message of this.#waiting.splice(0)) listener(message)
  }

  /** Reads no further; nobody is called back any more. */
  stop(): void {
    this.#isUsed = true
    this.#listener = null
    this.#waiting = []
    this.#worker.terminate()
  }

  #emit(message: WordsMessage): void {
    if (this.#listener !== null) this.#listener(message)
    else if (!this.#isUsed) this.#waiting.push(message)
  }
}

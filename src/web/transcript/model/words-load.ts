import type { Environment } from '../../../contract/interface/environment.ts'
import type { TextShape } from '../../../formats/read-txt.ts'
import { apiUrl, filePath } from '../../base/api/addresses.ts'
import { reportRefusedKey, type Session } from '../../base/api/client.ts'
import type { ShapeMessage, WordsMessage, WordsRequest } from './words-protocol.ts'

let early: { environment: Environment; id: string; load: WordsLoad } | null = null

/**
 * Loads the words of one file in a worker, starting when it is created. The page's loader creates it from the file's id
 * alone, before the page's code or the file's metadata is loaded: words that arrive before `listen` are buffered.
 */
export class WordsLoad {
  readonly #worker: Worker
  #buffer: WordsMessage[] = []
  #listener: ((message: WordsMessage) => void) | null = null
  #isUsed = false

  constructor(session: Session, id: string) {
    const { environment, key } = session
    this.#worker = new Worker(new URL('./words-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WordsMessage>) => {
      if (data.kind === 'failed' && data.status === 401) reportRefusedKey(session)
      if (data.kind === 'failed' || data.kind === 'lines') this.#worker.terminate()
      this.#emit(data)
    })
    this.#worker.addEventListener('error', () => {
      this.#worker.terminate()
      this.#emit({ kind: 'failed', status: 0, message: 'This page could not read the transcript. Reload the page.' })
    })
    const request: WordsRequest = {
      kind: 'read',
      credentials: { environment, key },
      jsonUrl: apiUrl(environment, filePath(id, 'json')),
      txtUrl: apiUrl(environment, filePath(id, 'txt')),
    }
    this.#worker.postMessage(request)
  }

  /** Returns the prefetched words to the first caller, else a new load. */
  static of(session: Session, id: string): WordsLoad {
    const load = early?.id === id && early.environment === session.environment ? early.load : null
    early = null
    return load ?? new WordsLoad(session, id)
  }

  /** Prefetches words for the page's loader, before its code is loaded. */
  static begin(session: Session, id: string): void {
    early = { environment: session.environment, id, load: new WordsLoad(session, id) }
  }

  /** True once it has been listened to or stopped: its words can only be consumed once. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  /** Delivers all messages in order, buffered ones first. @param shape of the file's text format */
  listen(shape: TextShape, listener: (message: WordsMessage) => void): void {
    this.#isUsed = true
    this.#listener = listener
    this.#worker.postMessage({ kind: 'shape', shape } satisfies ShapeMessage)
    for (const message of this.#buffer.splice(0)) listener(message)
  }

  /** Stops loading; the listener is not called again. */
  stop(): void {
    this.#isUsed = true
    this.#listener = null
    this.#buffer = []
    this.#worker.terminate()
  }

  #emit(message: WordsMessage): void {
    if (this.#listener !== null) this.#listener(message)
    else if (!this.#isUsed) this.#buffer.push(message)
  }
}

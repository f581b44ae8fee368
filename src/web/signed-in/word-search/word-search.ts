import type { Session } from '../../base/api/client.ts'
import { Signal } from '../../base/state/signal.ts'
import type { SearchAnswer, SearchRequest } from './search-protocol.ts'
import type { StoredTranscript } from './stored-transcript.ts'

/** Shorter queries have hits nearly everywhere. UTF-16 units. */
const minQueryLength = 2

const startWorker = () => new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module' })

/** Counts what this tab has stored. */
const stored = new Signal(0)

/** Stores a transcript, encrypted, to be searched on this device. Its columns move to a worker, which ends by itself. */
export function storeTranscript(session: Session, file: string, transcript: StoredTranscript): void {
  const { offsets, starts, numbers } = transcript
  const request: SearchRequest = { kind: 'store', session, file, transcript }
  const worker = startWorker()
  worker.addEventListener('message', () => stored.set(stored.get() + 1))
  worker.postMessage(request, [offsets.buffer, starts.buffer, numbers.buffer])
}

/** Searches all transcripts stored on this device, in a worker that loads them at the first query. */
export class WordSearch {
  /** the answer to the last query; null before the first answer and for queries that are too short */
  readonly answer = new Signal<SearchAnswer | null>(null)
  readonly #session: Session
  #worker: Worker | null = null
  #unsubscribe: (() => void) | null = null
  #query = ''

  constructor(session: Session) {
    this.#session = session
  }

  search(typed: string): void {
    this.#query = typed.trim()
    if (this.#query.length < minQueryLength) this.answer.set(null)
    else this.#post({ kind: 'search', query: this.#query })
  }

  #post(request: SearchRequest): void {
    if (this.#worker === null) {
      this.#worker = startWorker()
      this.#worker.addEventListener('message', ({ data }: MessageEvent<SearchAnswer>) => {
        if (data.query === this.#query) this.answer.set(data)
      })
      this.#load()
      // A transcript that was just left is stored while somebody searches already.
      this.#unsubscribe = stored.subscribe(() => {
        this.#load()
        this.search(this.#query)
      })
    }
    this.#worker.postMessage(request)
  }

  #load(): void {
    this.#worker?.postMessage({ kind: 'load', session: this.#session } satisfies SearchRequest)
  }

  /** Frees the loaded transcripts; the next query loads them again. */
  close(): void {
    this.#unsubscribe?.()
    this.#worker?.terminate()
    this.#worker = null
    this.answer.set(null)
  }
}

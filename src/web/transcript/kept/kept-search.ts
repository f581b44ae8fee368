import type { Session } from '../../api/client.ts'
import { Signal } from '../../state/signal.ts'
import type { KeptAnswer, KeptRequest } from './kept-protocol.ts'

/** Shorter queries stand nearly everywhere. UTF-16 units. */
const shortest = 2

/** Finds in all transcripts that are kept on this device, in a worker that opens them when first asked. */
export class KeptSearch {
  /** what was last found; null before the first answer and for queries that are too short */
  readonly answer = new Signal<KeptAnswer | null>(null)
  readonly #session: Session
  #worker: Worker | null = null
  #wanted = ''

  constructor(session: Session) {
    this.#session = session
  }

  find(typed: string): void {
    this.#wanted = typed.trim()
    if (this.#wanted.length < shortest) this.answer.set(null)
    else this.#tell({ kind: 'find', query: this.#wanted })
  }

  #tell(message: KeptRequest): void {
    if (this.#worker === null) {
      this.#worker = new Worker(new URL('./kept-worker.ts', import.meta.url), { type: 'module' })
      this.#worker.addEventListener('message', ({ data }: MessageEvent<KeptAnswer>) => {
        if (data.query === this.#wanted) this.answer.set(data)
      })
      this.#worker.postMessage({ kind: 'open', session: this.#session } satisfies KeptRequest)
    }
    this.#worker.postMessage(message)
  }

  /** Forgets what it read; may be asked again. */
  close(): void {
    this.#worker?.terminate()
    this.#worker = null
    this.answer.set(null)
  }
}

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { IndexPlace, SearchCalls, SearchReply, SearchRequest } from './search-protocol.ts'

/** Several transcripts at once, so that most garbage is gone before a major collection. */
const youngMegabytes = 96

type Waiting = { resolve(given: unknown): void; reject(error: Error): void }

/** The thread that owns the index; started by the first call. */
export class SearchThread {
  readonly #place: IndexPlace
  readonly #onDamaged: () => void
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #calls = 0

  /** @param onDamaged the index was damaged and is rebuilt: everything must be read again */
  constructor(place: IndexPlace, onDamaged: () => void) {
    this.#place = place
    this.#onDamaged = onDamaged
  }

  /** @throws what the thread throws; an error if it ends before answering */
  call<Kind extends keyof SearchCalls>(
    kind: Kind,
    asked: SearchCalls[Kind]['asked'],
  ): Promise<SearchCalls[Kind]['given']> {
    const worker = this.#worker ?? this.#start()
    const call = ++this.#calls
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(call, { resolve, reject })
    worker.postMessage({ call, kind, asked } as SearchRequest)
    return promise as Promise<SearchCalls[Kind]['given']>
  }

  #start(): Worker {
    const worker = new Worker(join(import.meta.dirname, 'search-worker.ts'), {
      workerData: this.#place,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    })
    worker.unref()
    const end = (error: Error) => {
      if (this.#worker === worker) this.#worker = null
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('The thread of the search has ended.')))
    worker.on('message', (reply: SearchReply) => this.#take(reply))
    this.#worker = worker
    return worker
  }

  #take(reply: SearchReply): void {
    if ('made' in reply) {
      this.#onDamaged()
      return
    }
    const waiting = this.#waiting.get(reply.call)
    this.#waiting.delete(reply.call)
    if ('failed' in reply) waiting?.reject(reply.failed)
    else waiting?.resolve(reply.given)
  }

  /** Ends the thread once its pending requests are answered. */
  async close(): Promise<void> {
    if (this.#worker === null) return
    await this.call('close', null).catch(() => undefined)
    await this.#worker?.terminate()
  }
}

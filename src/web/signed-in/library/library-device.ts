import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { Cached } from './library-rows.ts'
import type { FromWorker, ToWorker } from './library-worker.ts'

/** Changed files go to the worker after this time, or in this number. */
const sendMs = 1_000
const sendCount = 500

type Ports = {
  /** the current record of a file, or null if it is gone */
  record: (id: string) => FileRecord | null
  onNames: (names: string[]) => void
}

/** The copy of the list on this device, and its names in order: the page's side of the worker. */
export class LibraryDevice {
  readonly #session: Session
  readonly #ports: Ports
  #worker: Worker | null = null
  readonly #cached = Promise.withResolvers<Cached | null>()
  /** ids of files that the worker has not been sent since they changed */
  readonly #changed = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(session: Session, ports: Ports) {
    this.#session = session
    this.#ports = ports
  }

  /** Starts the worker, once. */
  start(): void {
    if (this.#worker !== null) return
    this.#worker = new Worker(new URL('./library-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'cached') this.#cached.resolve(data.cached)
      else this.#ports.onNames(data.names)
    })
    this.#send({ kind: 'open', session: this.#session })
  }

  /** What earlier visits stored; null: nothing. */
  async load(): Promise<Cached | null> {
    this.start()
    return await this.#cached.promise
  }

  /** Stores files soon, as they are then: many events change the same few. */
  put(ids: Iterable<string>): void {
    for (const id of ids) this.#changed.add(id)
    if (this.#changed.size >= sendCount) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), sendMs)
  }

  remove(ids: readonly string[]): void {
    this.#send({ kind: 'remove', ids })
  }

  /** Everything is read. @param order all ids of the account, unless only changes were read */
  complete(order: readonly string[] | null, version: number | null): void {
    this.#flush()
    this.#send({ kind: 'complete', order, version })
  }

  /** The worker terminates itself once it has stored what it received. */
  close(): void {
    this.#flush()
    this.#send({ kind: 'close' })
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#worker === null) return
    const records = [...this.#changed].flatMap((id) => this.#ports.record(id) ?? [])
    if (records.length > 0) this.#send({ kind: 'put', records })
    this.#changed.clear()
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }
}

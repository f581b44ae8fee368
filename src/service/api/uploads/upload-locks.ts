import { type UploadLeases, uploadIsBusy } from './upload-leases.ts'

type Holder = { onWanted: () => void; released: Promise<void> }

/**
 * Gives each upload to one request at a time. Whoever comes later asks the holder to let go: a client that comes back on a
 * new connection must not wait until the service has noticed that the old one is dead.
 */
export class UploadLocks {
  readonly #holders = new Map<string, Holder>()
  readonly #leases: UploadLeases | null
  readonly #waitMs: number

  /**
   * @param leases between nodes, where several share the database
   * @param waitMs how long a request waits for the one before it to let go
   */
  constructor(leases: UploadLeases | null = null, waitMs = 30_000) {
    this.#leases = leases
    this.#waitMs = waitMs
  }

  /**
   * Runs `work` while no other request holds the upload.
   * @param work is given the fence of the hold, which its writes to the row name; 0 within a single process
   * @param onWanted called where another request waits; `work` should then end soon
   * @throws ServiceError 503 with Retry-After if the holder does not let go
   */
  async hold<Result>(
    id: string,
    work: (fence: number) => Promise<Result>,
    onWanted: () => void = () => {},
  ): Promise<Result> {
    const waitEndsAt = performance.now() + this.#waitMs
    // Nothing is awaited between finding the upload free and holding it.
    for (let holder = this.#holders.get(id); holder !== undefined; holder = this.#holders.get(id)) {
      holder.onWanted()
      if (!(await isSettledWithin(holder.released, waitEndsAt - performance.now()))) {
        throw uploadIsBusy()
      }
    }
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    this.#holders.set(id, { onWanted, released })
    try {
      return await (this.#leases === null ? work(0) : this.#leases.hold(id, work, onWanted, waitEndsAt))
    } finally {
      this.#holders.delete(id)
      release()
    }
  }
}

async function isSettledWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  using _ = setTimeout(() => late.resolve(false), ms)
  return await Promise.race([promise.then(() => true), late.promise])
}

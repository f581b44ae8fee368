import { type UploadLeases, uploadIsBusy } from './upload-leases.ts'

type Holder = { onWanted: () => void; released: Promise<void> }

/**
 * Grants each upload to one request at a time. A later request asks the holder to let go: a reconnecting client must
 * not wait until the service notices that the old connection is dead.
 */
export class UploadLocks {
  readonly #holders = new Map<string, Holder>()
  readonly #leases: UploadLeases | null
  readonly #waitMs: number

  /**
   * @param leases between nodes, if several share the database
   * @param waitMs how long a request waits for the previous one to let go
   */
  constructor(leases: UploadLeases | null = null, waitMs = 30_000) {
    this.#leases = leases
    this.#waitMs = waitMs
  }

  /**
   * Runs `work` while no other request holds the upload.
   * @param work receives the fencing token of the hold, to use in writes to the row; 0 within a single process
   * @param onWanted called when another request waits; `work` should then end soon
   * @throws ServiceError 503 with Retry-After if the holder does not let go
   */
  async hold<Result>(
    id: string,
    work: (fence: number) => Promise<Result>,
    onWanted: () => void = () => {},
  ): Promise<Result> {
    const waitEndsAt = performance.now() + this.#waitMs
    // No await between the check and the lock, which would allow a race.
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

import { EventEmitter } from 'node:events'

/** Something was committed that others wait for. Told after the commit, so that whoever wakes can read it. */
export type Change =
  /** ordered, moved or, where `deleted`, gone */
  | { kind: 'file'; accountId: string; fileId: string; deleted?: true }
  | { kind: 'account'; accountId: string }
  | { kind: 'key-revoked'; accountId: string; keyId: string }
  | { kind: 'delivery'; accountId: string }
  | { kind: 'job' }
  /** jobs of this file were taken out of the table: what runs of them stops */
  | { kind: 'work-ended'; fileId: string }

/** Wakes the rooms of one process. It carries no data: what happened stands in the database. */
export class Changes {
  readonly #emitter = new EventEmitter({ captureRejections: false }).setMaxListeners(0)

  /** Tells all listeners at once; a listener must not throw and does its own work later. */
  tell(change: Change): void {
    this.#emitter.emit('change', change)
  }

  /** @returns a function that stops listening */
  listen(listener: (change: Change) => void): () => void {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}

import { EventEmitter } from 'node:events'
import { actAs } from './audit-log.ts'

/** Something was committed that others wait for. Sent after the commit, so that a listener can read it. */
export type Change =
  /** ordered, updated or `deleted` */
  | { kind: 'file'; accountId: string; fileId: string; deleted?: true }
  | { kind: 'account'; accountId: string }
  | { kind: 'key-revoked'; accountId: string; keyId: string }
  | { kind: 'delivery'; accountId: string }
  | { kind: 'job' }
  /** jobs of this file were removed from the table; those that are running must stop */
  | { kind: 'work-ended'; fileId: string }
  /** another request waits for this upload: whoever holds it is to let go */
  | { kind: 'upload-wanted'; uploadId: string }

/**
 * Notifications between the rooms of a process, and between processes where they share a database (`Bell`). They carry no
 * data: listeners read the database.
 */
export class Changes {
  readonly #emitter = new EventEmitter({ captureRejections: false }).setMaxListeners(0)

  /** Notifies all listeners at once; a listener must not throw and does its own work later. */
  notify(change: Change): void {
    // What listeners do about it, they do by themselves.
    actAs(null, () => this.#emitter.emit('change', change, true))
  }

  /** The same for a change that another process made and told. */
  notifyHere(change: Change): void {
    this.#emitter.emit('change', change, false)
  }

  /** @param listener `isOwn`: this process made the change. @returns a function that unsubscribes */
  subscribe(listener: (change: Change, isOwn: boolean) => void): () => void {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}

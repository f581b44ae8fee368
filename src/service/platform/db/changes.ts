import { EventEmitter } from 'node:events'
import { actAs } from './audit-log.ts'

/** A committed change that others wait for. Sent after the commit, so that a listener can read it. */
export type Change =
  /** ordered, updated or `deleted` */
  | { kind: 'file'; accountId: string; fileId: string; deleted?: true }
  | { kind: 'account'; accountId: string }
  | { kind: 'key-revoked'; accountId: string; keyId: string }
  | { kind: 'delivery'; accountId: string }
  | { kind: 'job' }
  /** an account has asked for an export */
  | { kind: 'export' }
  /** jobs of this file were removed from the table; running ones must stop */
  | { kind: 'work-ended'; fileId: string }
  /** another request waits for this upload: its holder should release it */
  | { kind: 'upload-wanted'; uploadId: string }

/**
 * Notifications within a process and, if processes share a database (`Bell`), between them. They carry no data:
 * listeners read the database.
 */
export class Changes {
  readonly #emitter = new EventEmitter({ captureRejections: false }).setMaxListeners(0)

  /** Notifies all listeners synchronously; a listener must not throw and defers its own work. */
  notify(change: Change): void {
    // Listeners act as Parley itself.
    actAs(null, () => this.#emitter.emit('change', change, true))
  }

  /** The same for a change announced by another process. */
  notifyHere(change: Change): void {
    this.#emitter.emit('change', change, false)
  }

  /** @param listener `isOwn`: this process made the change. @returns a function that unsubscribes */
  subscribe(listener: (change: Change, isOwn: boolean) => void): () => void {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}

import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import { ApiError, isWorthRetrying } from '../../base/api/client.ts'
import type { CorrectionHome } from '../../base/api/corrections.ts'
import type { DocumentKey } from '../../signed-in/library/correction-database.ts'
import {
  readDocument,
  readSynced,
  StaleRevisionError,
  type Synced,
  writeDocument,
  writeSynced,
} from '../edit/correction-store.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { Base } from '../edit/operation.ts'
import {
  addConflicts,
  applyToText,
  type FromService,
  fromMemory,
  fromService,
  makeEmptySet,
  mergeService,
} from './merge-service.ts'
import { sendUnsent, whileAlone } from './send-unsent.ts'

const firstRetryMs = 2_000
const maxRetryMs = 60_000

/**
 * Synchronizes the corrections of one transcript with the service: sends the changes of this device and merges those of
 * others. If both changed the same words, the service's win and this device's become conflicts. It works on the
 * browser's store, as another tab would, and in one tab at a time.
 */
export class CorrectionSync {
  readonly #home: CorrectionHome
  readonly #corrections: Corrections
  readonly #withTyped: (set: CorrectionSet) => CorrectionSet
  readonly #key: DocumentKey
  readonly #task = new CoalescedTask(
    () => whileAlone(this.#key, () => this.#sync()),
    (error) => this.#fail(error),
  )
  #known = -1
  /** the service has, or may have, changes unknown to this device */
  #isBehind = true
  #isClosed = false
  #retryMs = firstRetryMs
  #retry: number | undefined

  /** @param withTyped adds unsaved typing to the corrections, if that is to be sent, too */
  constructor(
    home: CorrectionHome,
    corrections: Corrections,
    withTyped: (set: CorrectionSet) => CorrectionSet = (set) => set,
  ) {
    this.#home = home
    this.#corrections = corrections
    this.#withTyped = withTyped
    this.#key = corrections.key
  }

  /** Starts, and continues after each step on this device. Returns a function that stops. */
  open(): () => void {
    const onOnline = () => this.#task.request()
    const stop = this.#corrections.state.subscribe(() => {
      if (this.#corrections.state.get().saved !== 'saving') this.#task.request()
    })
    window.addEventListener('online', onOnline)
    this.#task.request()
    return () => {
      this.#isClosed = true
      stop()
      window.removeEventListener('online', onOnline)
      window.clearTimeout(this.#retry)
    }
  }

  /** Sends local changes. */
  request(): void {
    this.#task.request()
  }

  /** The service's revision as of the last sync. */
  get revision(): number {
    return this.#known
  }

  /** The service has announced this revision; null: events were missed. */
  hear(revision: number | null): void {
    if (revision !== null && revision <= this.#known) return
    this.#isBehind = true
    this.#task.request()
  }

  #fail(error: unknown): void {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) {
      this.#corrections.where.set({ kind: 'device' })
      return
    }
    void this.#corrections.wait(error instanceof ApiError ? error.message : String(error))
    if (!isWorthRetrying(error) || this.#isClosed) return
    window.clearTimeout(this.#retry)
    this.#retry = window.setTimeout(() => this.#task.request(), this.#retryMs)
    this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2)
  }

  async #sync(): Promise<void> {
    const { base } = this.#corrections
    for (let isDone = false; !isDone && base !== null && !this.#isClosed; ) {
      const known = await readSynced(this.#key)
      const isCurrent = !this.#isBehind && known?.set.fingerprint === base.fingerprint
      const service = isCurrent && known !== null ? known : await this.#catchUp(base, known)
      isDone = service === null || (await this.#send(base, service))
    }
    this.#retryMs = firstRetryMs
  }

  async #catchUp(base: Base, known: Synced | null): Promise<Synced | null> {
    // Set before the request: an event during it may be newer than the response.
    this.#isBehind = false
    let service: Synced | null = null
    try {
      service = await this.#hearAll(base, known)
    } finally {
      if (service === null) this.#isBehind = true
    }
    return service
  }

  /** Fetches the service's corrections and merges them. @returns null if another tab has another text */
  async #hearAll(base: Base, known: Synced | null): Promise<Synced | null> {
    const kept = await this.#home.fetch(known?.revision ?? -1)
    const before = applyToText(base, known?.set ?? makeEmptySet(base)).set
    const nothing = { revision: 0, set: makeEmptySet(base) }
    const service = kept === null ? fromMemory(base, known ?? nothing) : fromService(base, kept)
    if (!(await this.#mergeService(base, before, service))) return null
    this.#known = service.synced.revision
    return service.synced
  }

  /**
   * Merges the service's corrections. Earlier steps of this device can then no longer be undone, as their places have
   * moved.
   */
  async #mergeService(base: Base, before: CorrectionSet, service: FromService): Promise<boolean> {
    const { synced } = service
    const document = await readDocument(this.#key)
    if (document !== null && document.fingerprint !== base.fingerprint) return false
    const taken = mergeService(base, before, document ?? makeEmptySet(base), service)
    if (taken === null) {
      await writeSynced(this.#key, synced)
      return true
    }
    const expected = document?.revision ?? 0
    const conflicts = addConflicts(document?.conflicts ?? [], taken.conflicts)
    const place = { revision: expected + 1, cursor: 0, operations: 0, conflicts, savedAt: document?.savedAt ?? 0 }
    try {
      await writeDocument(this.#key, expected, { ...taken.set, ...place }, null, synced)
    } catch (error) {
      if (error instanceof StaleRevisionError) return await this.#mergeService(base, before, service)
      throw error
    }
    this.#corrections.announce(expected + 1)
    return true
  }

  /** Sends local changes. @returns false if another change came first */
  async #send(base: Base, service: Synced): Promise<boolean> {
    const document = await readDocument(this.#key)
    if (document !== null && document.fingerprint !== base.fingerprint) return true
    const mine = this.#withTyped(document ?? makeEmptySet(base))
    const { lastStep, where } = this.#corrections
    const onSending = () => where.set({ kind: 'sending' })
    try {
      const sent = await sendUnsent(this.#home, this.#key, service, mine, lastStep, onSending)
      if (sent !== null) this.#known = sent.revision
      where.set({ kind: 'kept' })
      return true
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error
      this.#isBehind = true
      return false
    }
  }
}

import { Signal } from '../../../base/state/signal.ts'
import type { Upload } from './upload.ts'

type Change = Partial<Upload> | ((upload: Upload) => Partial<Upload>)

/**
 * All uploads of all accounts in this tab, from tray to order, in the order of the tray. A store outside React, so it
 * outlives pages.
 */
export class UploadList {
  readonly #uploads = new Signal<readonly Upload[]>([])
  #byId: ReadonlyMap<string, Upload> = new Map()

  /** Every upload; the same array until something changes. */
  readonly all = this.#uploads.get
  /** Calls the listener after each change. Returns an unsubscribe function. */
  readonly subscribe = this.#uploads.subscribe

  get(id: string): Upload | null {
    return this.#byId.get(id) ?? null
  }

  /** Appends uploads, skipping those already present. */
  add(uploads: readonly Upload[]): void {
    const added = uploads.filter(({ id }) => !this.#byId.has(id))
    if (added.length > 0) this.#set([...this.all(), ...added])
  }

  change(ids: readonly string[], change: Change): void {
    const changed = new Set(ids)
    if (!ids.some((id) => this.#byId.has(id))) return
    this.#set(
      this.all().map((upload) => {
        if (!changed.has(upload.id)) return upload
        return { ...upload, ...(typeof change === 'function' ? change(upload) : change) }
      }),
    )
  }

  remove(ids: readonly string[]): void {
    const removed = new Set(ids)
    if (ids.some((id) => this.#byId.has(id))) this.#set(this.all().filter(({ id }) => !removed.has(id)))
  }

  /** Restores removed uploads and the order they had before. */
  restore(removed: readonly Upload[], before: readonly Upload[]): void {
    this.add(removed)
    this.arrange(before.map(({ id }) => id))
  }

  /** Sorts uploads into this order of ids; unlisted ones come last. */
  arrange(ids: readonly string[]): void {
    const places = new Map(ids.map((id, place) => [id, place]))
    const placeOf = ({ id }: Upload) => places.get(id) ?? ids.length
    this.#set(this.all().toSorted((a, b) => placeOf(a) - placeOf(b)))
  }

  /** Moves an upload before another, or to the end if `beforeId` is null. */
  move(id: string, beforeId: string | null): void {
    const moved = this.#byId.get(id)
    if (moved === undefined || id === beforeId) return
    const rest = this.all().filter((upload) => upload !== moved)
    const at = beforeId === null ? rest.length : rest.findIndex((upload) => upload.id === beforeId)
    if (at >= 0) this.#set(rest.toSpliced(at, 0, moved))
  }

  #set(next: readonly Upload[]): void {
    this.#byId = new Map(next.map((upload) => [upload.id, upload]))
    this.#uploads.set(next)
  }
}

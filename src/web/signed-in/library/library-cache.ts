import { optionNames } from '../../../contract/interface/option-values.ts'
import type { Session } from '../../base/api/client.ts'
import type { RecordSource } from '../../base/api/metadata-reader.ts'
import { SealedStore } from '../session/sealed-store.ts'

const bucketCount = 64
/** The fields of `fileEntry` and `fileMetadata`: listed, as their readers import zod. A test compares them. */
const fields =
  'id version media_kind ready expires delete_when_ready corrections review caption_rules heard readable_seconds labels project batch leaves recording_deleted given_up metadata name created seconds bytes cost discount total ' +
  'transaction_id refund_amount currency delivery delay_reason duplicates options progress_percent'
/**
 * Version of the stored form, derived from its fields, so that a new field changes it: an older page's data lacks that
 * field, and is read from the service again. Increment the number if a field keeps its name but not its form.
 */
export const cacheFormat = [1, fields, ...optionNames].join(' ')

type Manifest = { format: string; order: string[]; version: number | null; savedAt: number }

/** The bucket of a file: FNV-1a over its id. */
function pickBucket(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % bucketCount
}

/** Metadata of an account's files on this device, sealed. Only a cache: everything here may fail without harm. */
export class LibraryCache {
  readonly #store: SealedStore
  readonly #buckets = new Map<number, Map<string, RecordSource>>()
  readonly #dirty = new Set<number>()

  private constructor(store: SealedStore) {
    this.#store = store
  }

  /** @returns null if this browser stores nothing (private windows, no secure context) */
  static async open(session: Session): Promise<LibraryCache | null> {
    const store = await SealedStore.open(session, 'parley-files', 'parley files')
    return store === null ? null : new LibraryCache(store)
  }

  /** The stored data, or null: none, sealed with another key, or of an older form. */
  async load(): Promise<{ manifest: Manifest; sources: RecordSource[] } | null> {
    try {
      const manifest = (await this.#unseal('manifest')) as Manifest | null
      if (manifest?.format !== cacheFormat) return null
      const numbers = Array.from({ length: bucketCount }, (_, number) => number)
      const buckets = await Promise.all(numbers.map((number) => this.#unseal(String(number))))
      for (const [number, sources] of buckets.entries()) {
        const bucket = (sources ?? []) as RecordSource[]
        this.#buckets.set(number, new Map(bucket.map((source) => [source.id, source])))
      }
      const sources = [...this.#buckets.values()].flatMap((bucket) => [...bucket.values()])
      return { manifest, sources }
    } catch {
      // Sealed with another key, or damaged: treated as empty, and overwritten by the next reads.
      this.#buckets.clear()
      return null
    }
  }

  put(source: RecordSource): void {
    const number = pickBucket(source.id)
    const bucket = this.#buckets.get(number) ?? new Map<string, RecordSource>()
    this.#buckets.set(number, bucket.set(source.id, source))
    this.#dirty.add(number)
  }

  delete(id: string): void {
    const number = pickBucket(id)
    if (this.#buckets.get(number)?.delete(id)) this.#dirty.add(number)
  }

  /** Writes changes. The manifest goes last, so that it never refers to missing data. */
  async flush(order: string[], version: number | null): Promise<void> {
    const numbers = [...this.#dirty]
    this.#dirty.clear()
    try {
      for (const number of numbers) await this.#seal(String(number), [...(this.#buckets.get(number)?.values() ?? [])])
      await this.#seal('manifest', { format: cacheFormat, order, version, savedAt: Date.now() } satisfies Manifest)
    } catch {
      // Storage full or revoked: the next visit reads from the service.
    }
  }

  async #seal(name: string, value: unknown): Promise<void> {
    await this.#store.put(name, new TextEncoder().encode(JSON.stringify(value)))
  }

  async #unseal(name: string): Promise<unknown> {
    const plain = await this.#store.get(name)
    return plain === null ? null : JSON.parse(new TextDecoder().decode(plain))
  }
}

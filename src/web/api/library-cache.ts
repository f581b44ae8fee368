import { type IDBPDatabase, openDB } from 'idb'
import type { Session } from '../session/session.ts'
import type { RecordSource } from './metadata-reader.ts'

const bucketCount = 64
const format = 1

export type Kept = { sources: RecordSource[]; order: string[]; version: number | null; savedAt: number }
type Manifest = { format: number; order: string[]; version: number | null; savedAt: number }
type Sealed = { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }

/** Which bucket a file is kept in: FNV-1a over its id. */
function bucketOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % bucketCount
}

/**
 * The key that seals an account's metadata on this device: HKDF-SHA-256 (RFC 5869) of the API key, never stored, so
 * that after signing out there is only noise.
 */
async function sealingKey({ key, environment, account }: Session): Promise<CryptoKey> {
  const bytes = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', bytes.encode(key), 'HKDF', false, ['deriveKey'])
  return await crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: bytes.encode(`${environment} ${account}`),
      info: bytes.encode('parley files'),
    },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** Metadata of an account's files on this device, sealed. Everything here may fail without harm: it is only a cache. */
export class LibraryCache {
  readonly #scope: string
  readonly #key: CryptoKey
  readonly #db: IDBPDatabase
  readonly #buckets = new Map<number, Map<string, RecordSource>>()
  readonly #dirty = new Set<number>()

  private constructor(scope: string, key: CryptoKey, db: IDBPDatabase) {
    this.#scope = scope
    this.#key = key
    this.#db = db
  }

  /** @returns null where this browser keeps nothing (private windows, no secure context) */
  static async open(session: Session): Promise<LibraryCache | null> {
    try {
      const db = await openDB('parley-files', 1, { upgrade: (fresh) => void fresh.createObjectStore('sealed') })
      return new LibraryCache(`${session.environment} ${session.account}`, await sealingKey(session), db)
    } catch {
      return null
    }
  }

  /** What was kept, or null: nothing, another key's, or of an older form. */
  async load(): Promise<Kept | null> {
    try {
      const manifest = (await this.#unseal('manifest')) as Manifest | null
      if (manifest?.format !== format) return null
      const numbers = Array.from({ length: bucketCount }, (_, number) => number)
      const buckets = await Promise.all(numbers.map((number) => this.#unseal(String(number))))
      for (const [number, sources] of buckets.entries()) {
        const bucket = (sources ?? []) as RecordSource[]
        this.#buckets.set(number, new Map(bucket.map((source) => [source.id, source])))
      }
      const sources = [...this.#buckets.values()].flatMap((bucket) => [...bucket.values()])
      return { sources, order: manifest.order, version: manifest.version, savedAt: manifest.savedAt }
    } catch {
      // Sealed with another key, or damaged: as good as nothing, and overwritten by what is read next.
      this.#buckets.clear()
      return null
    }
  }

  put(source: RecordSource): void {
    const number = bucketOf(source.id)
    const bucket = this.#buckets.get(number) ?? new Map<string, RecordSource>()
    this.#buckets.set(number, bucket.set(source.id, source))
    this.#dirty.add(number)
  }

  delete(id: string): void {
    const number = bucketOf(id)
    if (this.#buckets.get(number)?.delete(id)) this.#dirty.add(number)
  }

  /** Writes what changed. The manifest goes last, so that it never promises what is not there. */
  async flush(order: string[], version: number | null): Promise<void> {
    const numbers = [...this.#dirty]
    this.#dirty.clear()
    try {
      for (const number of numbers) await this.#seal(String(number), [...(this.#buckets.get(number)?.values() ?? [])])
      await this.#seal('manifest', { format, order, version, savedAt: Date.now() } satisfies Manifest)
    } catch {
      // Storage full or taken away: the next visit reads from the service.
    }
  }

  async #seal(name: string, value: unknown): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const plain = new TextEncoder().encode(JSON.stringify(value))
    const data = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: this.#label(name) },
      this.#key,
      plain,
    )
    await this.#db.put('sealed', { iv, data } satisfies Sealed, [this.#scope, name])
  }

  async #unseal(name: string): Promise<unknown> {
    const sealed = (await this.#db.get('sealed', [this.#scope, name])) as Sealed | undefined
    if (sealed === undefined) return null
    const { iv, data } = sealed
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: this.#label(name) },
      this.#key,
      data,
    )
    return JSON.parse(new TextDecoder().decode(plain))
  }

  /** Ties a sealed value to its place, so that one cannot be put where another belongs. */
  #label(name: string): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(`${this.#scope} ${name}`)
  }
}

import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Session } from '../../base/api/client.ts'

interface Schema extends DBSchema {
  sealed: { key: [scope: string, name: string]; value: { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer } }
}

/** HKDF-SHA-256 (RFC 5869) of the API key, never stored, so that after signing out the data is unreadable. */
async function sealingKey({ key, environment, account }: Session, purpose: string): Promise<CryptoKey> {
  const bytes = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', bytes.encode(key), 'HKDF', false, ['deriveKey'])
  return await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: bytes.encode(`${environment} ${account}`), info: bytes.encode(purpose) },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** Stores values of an account on this device by name, sealed: encrypted with a key derived from its API key. */
export class SealedStore {
  readonly #scope: string
  readonly #key: CryptoKey
  readonly #db: IDBPDatabase<Schema>

  private constructor(scope: string, key: CryptoKey, db: IDBPDatabase<Schema>) {
    this.#scope = scope
    this.#key = key
    this.#db = db
  }

  /**
   * @param database the IndexedDB database; one per kind of content
   * @param purpose binds the sealing key to that kind
   * @returns null if this browser stores nothing (private windows, no secure context)
   */
  static async open(session: Session, database: string, purpose: string): Promise<SealedStore | null> {
    try {
      const db = await openDB<Schema>(database, 2, {
        upgrade(fresh) {
          // An older version's values are only copies, which will be read again.
          for (const name of fresh.objectStoreNames) fresh.deleteObjectStore(name)
          fresh.createObjectStore('sealed')
        },
      })
      return new SealedStore(`${session.environment} ${session.account}`, await sealingKey(session, purpose), db)
    } catch {
      return null
    }
  }

  close(): void {
    this.#db.close()
  }

  /** @throws if storage is full or revoked */
  async put(name: string, plain: Uint8Array<ArrayBuffer>): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const algorithm = { name: 'AES-GCM', iv, additionalData: this.#label(name) }
    const data = await crypto.subtle.encrypt(algorithm, this.#key, plain)
    await this.#db.put('sealed', { iv, data }, [this.#scope, name])
  }

  /** @returns null if nothing has that name. @throws if it was sealed with another key, or is damaged */
  async get(name: string): Promise<ArrayBuffer | null> {
    const sealed = await this.#db.get('sealed', [this.#scope, name])
    if (sealed === undefined) return null
    const algorithm = { name: 'AES-GCM', iv: sealed.iv, additionalData: this.#label(name) }
    return await crypto.subtle.decrypt(algorithm, this.#key, sealed.data)
  }

  /** Authenticated with each value, so that none can be moved to another name or account. */
  #label(name: string): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(`${this.#scope} ${name}`)
  }
}

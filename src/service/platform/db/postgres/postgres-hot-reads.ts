import type { Environment } from '../../../../contract/interface/environment.ts'
import type { Changes } from '../changes.ts'
import { type HotReads, type KnownKey, toKnownKey } from '../hot-reads.ts'
import type { Db } from '../open.ts'
import type { FileRow } from '../schema.ts'

/** How long a key stays usable after another process revokes it, if the notification is lost. */
const cachedForMs = 1_000
const answersWithinMs = 4_500
const maxCachedKeys = 20_000

/** Reads of PostgreSQL. Keys are cached for a second, and invalidated when any process announces an account change. */
export class PostgresHotReads implements HotReads {
  readonly #db: Db
  readonly #keyHashOf: (authorization: string) => string | null
  /** by environment and header */
  readonly #keys = new Map<string, { known: KnownKey; atMs: number }>()
  /** incremented with each change, so that a value read before it is not cached after it */
  #changes = 0
  readonly #unsubscribe: () => void

  /** @param keyHashOf the hash of the key in a header, null if it has none */
  constructor(db: Db, changes: Changes, keyHashOf: (authorization: string) => string | null) {
    this.#db = db
    this.#keyHashOf = keyHashOf
    this.#unsubscribe = changes.subscribe(({ kind }) => {
      if (kind !== 'account' && kind !== 'key-revoked') return
      this.#changes += 1
      this.#keys.clear()
    })
  }

  keyOf(authorization: string, environment: Environment): KnownKey | undefined | Promise<KnownKey | undefined> {
    const slot = `${environment} ${authorization}`
    const cached = this.#keys.get(slot)
    if (cached !== undefined && performance.now() - cached.atMs < cachedForMs) return cached.known
    const hash = this.#keyHashOf(authorization)
    return hash === null ? undefined : this.#readKey(slot, hash, environment)
  }

  async #readKey(slot: string, hash: string, environment: Environment): Promise<KnownKey | undefined> {
    const atMs = performance.now()
    const changes = this.#changes
    const read = this.#db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .selectAll('accounts')
      .select(['api_keys.id as key_id', 'api_keys.expires_at', 'api_keys.last_used_at', 'api_keys.limits_json'])
      .where('api_keys.hash', '=', hash)
      .where('api_keys.revoked_at', 'is', null)
      .where('accounts.environment', '=', environment)
      .executeTakeFirst()
    // Nearly every request begins with this: if the database does not answer, it is refused in time.
    const late = Promise.withResolvers<never>()
    using _ = setTimeout(() => late.reject(new Error('Query read timeout')), answersWithinMs)
    const row = await Promise.race([read, late.promise])
    if (row === undefined) return undefined
    const known = toKnownKey(row)
    if (this.#keys.size >= maxCachedKeys) this.#keys.clear()
    if (changes === this.#changes) this.#keys.set(slot, { known, atMs })
    return known
  }

  async fileOf(accountId: string, fileId: string, now: number): Promise<FileRow | undefined> {
    return await this.#db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', fileId)
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .executeTakeFirst()
  }

  async fileIdsJson(accountId: string, now: number, projects: readonly string[] | null = null): Promise<string> {
    const ids = await this.#db
      .selectFrom('files')
      .select('id')
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .$if(projects !== null, (files) => files.where('project_id', 'in', projects ?? []))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return JSON.stringify(ids)
  }

  close(): void {
    this.#unsubscribe()
  }
}

import { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../contract/environment.ts'
import type { Account, FileRow } from './schema.ts'

/** What a request with a key needs to know of its account. */
export type KnownKey = { account: Account; keyId: string; expiresAt: number | null; lastUsedAt: number | null }

/**
 * The three queries that every client repeats thousands of times, prepared once on a read-only connection of their own
 * and cached: building them in the query builder costs more than SQLite needs to answer. They see whatever any process
 * has committed.
 */
export type HotReads = {
  /**
   * The account of the key in an `Authorization` header; undefined where it is revoked or of another environment.
   * Whether it has expired is for the caller to check.
   */
  keyOf(authorization: string, environment: Environment): KnownKey | undefined
  /**
   * A file that has not expired: sandbox files end to the millisecond, though their rows are removed a moment later.
   */
  fileOf(accountId: string, fileId: string, now: number): FileRow | undefined
  /** `[{"id":"…"},…]`, newest first (spec 4.1), of files that have not expired */
  fileIdsJson(accountId: string, now: number): Buffer
  /** This process may have committed something, so the caches may be stale. */
  invalidate(): void
  close(): void
}

const maxCached = 20_000
/** How long a commit of another process, such as the command line, may go unnoticed. */
const checkEveryMs = 20

/** A list is valid until the first of its files expires. */
type CachedList = { validUntil: number; json: Buffer }
const maxCachedLists = 100
const maxCachedHeaderLength = 200

/** Results by their two parameters, until cleared. The first parameter determines the result, as an id does. */
class BoundedCache<Answer> {
  readonly #answers = new Map<string, { second: string; answer: Answer }>()
  readonly #read: (first: string, second: string) => Answer
  constructor(read: (first: string, second: string) => Answer) {
    this.#read = read
  }
  get(first: string, second: string): Answer {
    const known = this.#answers.get(first)
    if (known?.second === second) return known.answer
    const answer = this.#read(first, second)
    if (this.#answers.size >= maxCached) this.#answers.clear()
    // What was not found is not cached: there is no end of wrong keys and ids.
    if (answer !== undefined) this.#answers.set(first, { second, answer })
    return answer
  }
  clear(): void {
    this.#answers.clear()
  }
}

function prepareReads(sqlite: DatabaseSync) {
  return {
    key: sqlite.prepare(
      `select accounts.*, api_keys.id as key_id, api_keys.expires_at, api_keys.last_used_at
       from api_keys join accounts on accounts.id = api_keys.account_id
       where api_keys.hash = ? and api_keys.revoked_at is null and accounts.environment = ?`,
    ),
    file: sqlite.prepare('select * from files where id = ? and account_id = ?'),
    ids: sqlite.prepare(
      `select '[' || coalesce(group_concat('{"id":"' || id || '"}', ','), '') || ']' as json,
         min(expires_at) as first_expiry
       from (select id, expires_at from files where account_id = ? and (expires_at is null or expires_at > ?)
             order by created_at desc, id desc)`,
    ),
    // Changes with every commit on another connection, of this process or any other.
    dataVersion: sqlite.prepare('pragma data_version'),
    // Changes with every change of a file. Most commits, such as the times at which keys were used, change no file.
    fileVersion: sqlite.prepare("select value from counters where name = 'file_version'"),
  }
}

/** Caches on a read-only connection, dropped when a commit may have changed what they hold. */
class CachedReads implements HotReads {
  readonly #sqlite: DatabaseSync
  readonly #reads: ReturnType<typeof prepareReads>
  readonly #keyHashOf: (authorization: string) => string | null
  // By the header as it came: decoding and hashing it each time would cost more than the rest of authentication.
  readonly #keys = new BoundedCache((header, environment) => this.#readKey(header, environment))
  readonly #files = new BoundedCache((id, accountId) => this.#reads.file.get(id, accountId) as FileRow | undefined)
  readonly #lists = new Map<string, CachedList>()
  #versions = { data: undefined as unknown, files: undefined as unknown }
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(sqlite: DatabaseSync, keyHashOf: (authorization: string) => string | null) {
    this.#sqlite = sqlite
    this.#reads = prepareReads(sqlite)
    this.#keyHashOf = keyHashOf
  }

  keyOf(authorization: string, environment: Environment): KnownKey | undefined {
    this.#dropStale()
    // Longer ones are padded with spaces, and would fill the cache.
    return authorization.length > maxCachedHeaderLength
      ? this.#readKey(authorization, environment)
      : this.#keys.get(authorization, environment)
  }

  fileOf(accountId: string, fileId: string, now: number): FileRow | undefined {
    this.#dropStale()
    const found = this.#files.get(fileId, accountId)
    return found === undefined || (found.expires_at !== null && found.expires_at <= now) ? undefined : found
  }

  fileIdsJson(accountId: string, now: number): Buffer {
    this.#dropStale()
    const cached = this.#lists.get(accountId)
    if (cached !== undefined && now < cached.validUntil) return cached.json
    const listed = this.#reads.ids.get(accountId, now)
    const json = Buffer.from(String(listed?.json))
    if (this.#lists.size >= maxCachedLists) this.#lists.clear()
    this.#lists.set(accountId, { validUntil: Number(listed?.first_expiry ?? Number.POSITIVE_INFINITY), json })
    return json
  }

  invalidate(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  close(): void {
    this.#sqlite.close()
  }

  #readKey(authorization: string, environment: string): KnownKey | undefined {
    const hash = this.#keyHashOf(authorization)
    const row = hash === null ? undefined : this.#reads.key.get(hash, environment)
    if (row === undefined) return undefined
    const { key_id: keyId, expires_at: expiresAt, last_used_at: lastUsedAt, ...account } = row
    return { account, keyId, expiresAt, lastUsedAt } as KnownKey
  }

  #dropStale(): void {
    const now = performance.now()
    if (now - this.#checkedAt < checkEveryMs) return
    this.#checkedAt = now
    const data = this.#reads.dataVersion.get()?.data_version
    if (data === this.#versions.data) return
    this.#keys.clear()
    const files = this.#reads.fileVersion.get()?.value
    if (files !== this.#versions.files) {
      this.#files.clear()
      this.#lists.clear()
    }
    this.#versions = { data, files }
  }
}

/**
 * Opens the hot reads on a database that `openDb` has migrated.
 * @param keyHashOf the hash of the key in a header, null where it has none
 */
export function openHotReads(path: string, keyHashOf: (authorization: string) => string | null): HotReads {
  return new CachedReads(new DatabaseSync(path, { readOnly: true, timeout: 5_000 }), keyHashOf)
}

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

/**
 * Opens the hot reads on a database that `openDb` has migrated.
 * @param keyHashOf the hash of the key in a header, null where it has none
 */
export function openHotReads(path: string, keyHashOf: (authorization: string) => string | null): HotReads {
  const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  const key = sqlite.prepare(
    `select accounts.*, api_keys.id as key_id, api_keys.expires_at, api_keys.last_used_at
     from api_keys join accounts on accounts.id = api_keys.account_id
     where api_keys.hash = ? and api_keys.revoked_at is null and accounts.environment = ?`,
  )
  const file = sqlite.prepare('select * from files where id = ? and account_id = ?')
  const ids = sqlite.prepare(
    `select '[' || coalesce(group_concat('{"id":"' || id || '"}', ','), '') || ']' as json,
       min(expires_at) as first_expiry
     from (select id, expires_at from files where account_id = ? and (expires_at is null or expires_at > ?)
           order by created_at desc, id desc)`,
  )
  // Changes with every commit on another connection, of this process or any other.
  const dataVersion = sqlite.prepare('pragma data_version')
  // Changes with every change of a file. Most commits, such as the times at which keys were used, change no file.
  const fileVersion = sqlite.prepare("select value from counters where name = 'file_version'")
  function readKey(authorization: string, environment: string): KnownKey | undefined {
    const hash = keyHashOf(authorization)
    const row = hash === null ? undefined : key.get(hash, environment)
    if (row === undefined) return undefined
    const { key_id: keyId, expires_at: expiresAt, last_used_at: lastUsedAt, ...account } = row
    return { account, keyId, expiresAt, lastUsedAt } as KnownKey
  }
  // By the header as it came: decoding and hashing it each time would cost more than the rest of authentication.
  const keys = new BoundedCache(readKey)
  const rows = new BoundedCache((fileId, accountId) => file.get(fileId, accountId) as FileRow | undefined)
  const lists = new Map<string, CachedList>()
  let seen = { data: undefined as unknown, files: undefined as unknown }
  let checkedAt = Number.NEGATIVE_INFINITY

  function dropStale(): void {
    const now = performance.now()
    if (now - checkedAt < checkEveryMs) return
    checkedAt = now
    const data = dataVersion.get()?.data_version
    if (data === seen.data) return
    keys.clear()
    const files = fileVersion.get()?.value
    if (files !== seen.files) {
      rows.clear()
      lists.clear()
    }
    seen = { data, files }
  }

  return {
    keyOf(authorization, environment) {
      dropStale()
      // Longer ones are padded with spaces, and would fill the cache.
      return authorization.length > maxCachedHeaderLength
        ? readKey(authorization, environment)
        : keys.get(authorization, environment)
    },
    fileOf(accountId, fileId, now) {
      dropStale()
      const found = rows.get(fileId, accountId)
      return found === undefined || (found.expires_at !== null && found.expires_at <= now) ? undefined : found
    },
    fileIdsJson(accountId, now) {
      dropStale()
      const kept = lists.get(accountId)
      if (kept !== undefined && now < kept.validUntil) return kept.json
      const listed = ids.get(accountId, now)
      const json = Buffer.from(String(listed?.json))
      if (lists.size >= maxCachedLists) lists.clear()
      lists.set(accountId, { validUntil: Number(listed?.first_expiry ?? Number.POSITIVE_INFINITY), json })
      return json
    },
    invalidate() {
      checkedAt = Number.NEGATIVE_INFINITY
    },
    close: () => sqlite.close(),
  }
}

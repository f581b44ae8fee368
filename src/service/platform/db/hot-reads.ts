import { DatabaseSync } from 'node:sqlite'
import type { KeyLimits } from '../../../contract/account/key-limits.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import type { Account, ApiKey, FileRow } from './schema.ts'

/** The account data that every authenticated request needs. */
export type KnownKey = {
  account: Account
  keyId: string
  expiresAt: number | null
  lastUsedAt: number | null
  /** null: the key may do everything */
  limits: KeyLimits | null
}

type KeyRow = Account & Pick<ApiKey, 'expires_at' | 'last_used_at' | 'limits_json'> & { key_id: string }

export function toKnownKey(row: KeyRow): KnownKey {
  const { key_id: keyId, expires_at: expiresAt, last_used_at: lastUsedAt, limits_json, ...account } = row
  return { account, keyId, expiresAt, lastUsedAt, limits: limits_json === null ? null : JSON.parse(limits_json) }
}

const maxCachedKeys = 20_000
const maxCachedHeaderLength = 200

function prepareReads(sqlite: DatabaseSync) {
  return {
    key: sqlite.prepare(
      `select accounts.*, api_keys.id as key_id, api_keys.expires_at, api_keys.last_used_at, api_keys.limits_json
       from api_keys join accounts on accounts.id = api_keys.account_id
       where api_keys.hash = ? and api_keys.revoked_at is null and accounts.environment = ?`,
    ),
    file: sqlite.prepare(
      'select * from files where id = ? and account_id = ? and (expires_at is null or expires_at > ?)',
    ),
    ids: sqlite.prepare(
      `select '[' || coalesce(group_concat('{"id":"' || id || '"}', ','), '') || ']' as json
       from (select id from files where account_id = ?1 and (expires_at is null or expires_at > ?2)
             and (?3 is null or project_id in (select value from json_each(?3)))
             order by created_at desc, id desc)`,
    ),
    dataVersion: sqlite.prepare('pragma data_version'),
  }
}

/**
 * The three queries that every client repeats thousands of times. Synchronous if possible: always with SQLite; with
 * PostgreSQL if the key is cached.
 */
export interface HotReads {
  /**
   * The account of the key in an `Authorization` header; undefined if it is revoked or of another environment. The
   * caller checks its expiry.
   */
  keyOf(authorization: string, environment: Environment): KnownKey | undefined | Promise<KnownKey | undefined>
  /**
   * A file that has not expired: sandbox files expire to the millisecond, though their rows are removed a moment later.
   */
  fileOf(accountId: string, fileId: string, now: number): FileRow | undefined | Promise<FileRow | undefined>
  /**
   * `[{"id":"…"},…]`, newest first (spec 4.1), of files that have not expired
   * @param projects the only ones whose files are listed; null: all, with those in none
   */
  fileIdsJson(accountId: string, now: number, projects?: readonly string[] | null): string | Promise<string>
  close(): void
}

/** Passes on a read value, without a promise if it is cached: one per HEAD would cost as much as the read. */
export function afterRead<Value, Result>(
  read: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return read instanceof Promise ? read.then(use) : use(read)
}

/**
 * Prepared once, on a dedicated read-only connection: building them in the query builder costs more than SQLite needs
 * to answer. They see every process's commits. Only keys are cached, until SQLite reports any commit.
 */
export class SqliteHotReads implements HotReads {
  readonly #sqlite: DatabaseSync
  readonly #reads: ReturnType<typeof prepareReads>
  readonly #keyHashOf: (authorization: string) => string | null
  /** by the raw header: decoding and hashing it would cost more than the rest of authentication */
  readonly #keys = new Map<string, KnownKey>()
  #dataVersion: unknown

  /**
   * @param path of a database that `openDb` has migrated
   * @param keyHashOf the hash of the key in a header, null if it has none
   */
  constructor(path: string, keyHashOf: (authorization: string) => string | null) {
    this.#sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    this.#reads = prepareReads(this.#sqlite)
    this.#keyHashOf = keyHashOf
  }

  keyOf(authorization: string, environment: Environment): KnownKey | undefined {
    this.#dropStaleKeys()
    const known = this.#keys.get(authorization)
    if (known !== undefined) return known.account.environment === environment ? known : undefined
    const found = this.#readKey(authorization, environment)
    // Misses are not cached, as there is no end of wrong keys; nor are headers padded with spaces.
    if (found !== undefined && authorization.length <= maxCachedHeaderLength) this.#keys.set(authorization, found)
    return found
  }

  fileOf(accountId: string, fileId: string, now: number): FileRow | undefined {
    return this.#reads.file.get(fileId, accountId, now) as FileRow | undefined
  }

  fileIdsJson(accountId: string, now: number, projects: readonly string[] | null = null): string {
    return String(this.#reads.ids.get(accountId, now, projects === null ? null : JSON.stringify(projects))?.json)
  }

  close(): void {
    this.#sqlite.close()
  }

  #readKey(authorization: string, environment: string): KnownKey | undefined {
    const hash = this.#keyHashOf(authorization)
    const row = hash === null ? undefined : this.#reads.key.get(hash, environment)
    return row === undefined ? undefined : toKnownKey(row as KeyRow)
  }

  /** The version changes with every commit on another connection, of this process or any other. */
  #dropStaleKeys(): void {
    const version = this.#reads.dataVersion.get()?.data_version
    if (version !== this.#dataVersion || this.#keys.size >= maxCachedKeys) this.#keys.clear()
    this.#dataVersion = version
  }
}

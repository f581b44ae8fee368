import { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../contract/environment.ts'
import type { Account, FileRow } from './schema.ts'

/** What a request with a key needs to know of its account. */
export type KnownKey = Account & { key_id: string; expires_at: number | null; last_used_at: number | null }

/**
 * The three reads that every client repeats thousands of times, prepared once on a read-only connection of their own:
 * building them anew in the query builder would cost more than SQLite needs to answer. They see whatever is committed.
 */
export type HotReads = {
  /** The account of a key that is neither revoked nor of another environment; expiry is the caller's to check. */
  keyOf(hash: string, environment: Environment): KnownKey | undefined
  /** A file that is not past its time; the sandbox's end to the millisecond, though their rows go a moment later. */
  fileOf(accountId: string, fileId: string, now: number): FileRow | undefined
  /** `[{"id":"…"},…]`, newest first (spec 4.1), of files that are not past their time */
  fileIdsJson(accountId: string, now: number): Buffer
  close(): void
}

/** The list as it was when the counter of file versions stood at `version`; good until its first file's time is over. */
type KeptList = { version: number; goodUntil: number; json: Buffer }
const keptLists = 100

/** Opens the hot reads on a database that `openDb` has migrated. */
export function openHotReads(path: string): HotReads {
  const sqlite = new DatabaseSync(path, { readOnly: true })
  sqlite.exec('pragma busy_timeout = 5000')
  const key = sqlite.prepare(
    `select accounts.*, api_keys.id as key_id, api_keys.expires_at, api_keys.last_used_at
     from api_keys join accounts on accounts.id = api_keys.account_id
     where api_keys.hash = ? and api_keys.revoked_at is null and accounts.environment = ?`,
  )
  const file = sqlite.prepare(
    'select * from files where id = ? and account_id = ? and (expires_at is null or expires_at > ?)',
  )
  const version = sqlite.prepare("select value from counters where name = 'file_version'")
  const ids = sqlite.prepare(
    `select '[' || coalesce(group_concat('{"id":"' || id || '"}', ','), '') || ']' as json,
       min(expires_at) as first_expiry
     from (select id, expires_at from files where account_id = ? and (expires_at is null or expires_at > ?)
           order by created_at desc, id desc)`,
  )
  const lists = new Map<string, KeptList>()
  return {
    keyOf: (hash, environment) => key.get(hash, environment) as KnownKey | undefined,
    fileOf: (accountId, fileId, now) => file.get(fileId, accountId, now) as FileRow | undefined,
    fileIdsJson(accountId, now) {
      const current = Number(version.get()?.value)
      const kept = lists.get(accountId)
      if (kept?.version === current && now < kept.goodUntil) return kept.json
      const listed = ids.get(accountId, now)
      const json = Buffer.from(String(listed?.json))
      const goodUntil = Number(listed?.first_expiry ?? Number.POSITIVE_INFINITY)
      if (lists.size >= keptLists) lists.clear()
      lists.set(accountId, { version: current, goodUntil, json })
      return json
    },
    close: () => sqlite.close(),
  }
}

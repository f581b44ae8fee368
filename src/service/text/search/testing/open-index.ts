import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createAccount } from '../../../accounts/auth/accounts.ts'
import { openPostgres } from '../../../platform/db/postgres/open-postgres.ts'
import type { NewFileRow } from '../../../platform/db/schema.ts'
import { openTestSchema } from '../../../testing/postgres-schemas.ts'
import { PostgresIndex } from '../postgres-index.ts'
import type { SearchIndex } from '../search-index.ts'
import { SqliteIndex } from '../sqlite-index.ts'

const row: Omit<NewFileRow, 'id' | 'account_id'> = {
  environment: 'live',
  name: '',
  media_extension: 'wav',
  media_kind: 'audio',
  content_hash: '',
  bytes: 0,
  duration_ms: 0,
  cost_cents: 0,
  discount_cents: 0,
  total_cents: 0,
  refund_cents: 0,
  currency: 'USD',
  transaction_id: '',
  created_at: 0,
  delivery_at: 0,
  promised_at: null,
  ready_at: 0,
  delay_reason: null,
  duplicates_json: null,
  options_json: '{}',
  progress_percent: 100,
  version: 0,
  expires_at: null,
  delete_when_ready: 0,
  given_up: 0,
  readable_ms: null,
  approved_revision: null,
  preset: null,
}

export type TestIndex = {
  index: SearchIndex
  accounts: readonly [string, string]
  /** creates the file's row, so that it can be indexed */
  addFile(id: string, accountId: string): Promise<void>
  /** everything stored of the index: the files of SQLite, the rows of PostgreSQL */
  bytes(): Promise<string>
  remove(): Promise<void>
}

/** For tests: an empty index of the test run's engine. Remove it at the end. */
export async function openTestIndex(): Promise<TestIndex> {
  const postgres = await openTestSchema()
  const directory = await mkdtemp(join(tmpdir(), 'parley-search-'))
  const removeDirectory = () => rm(directory, { recursive: true })
  if (postgres === null) {
    const index = new SqliteIndex(join(directory, 'search.db'))
    const remove = async () => {
      await index.close()
      await removeDirectory()
    }
    const bytes = async () => {
      const names = await readdir(directory)
      return (await Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')))).join('')
    }
    return { index, accounts: ['one', 'two'], addFile: async () => {}, bytes, remove }
  }
  const db = await openPostgres(postgres)
  const index = await PostgresIndex.open(postgres)
  const account = async () => (await createAccount(db, { environment: 'live', name: 'Test' }, 0)).accountId
  return {
    index,
    accounts: [await account(), await account()],
    async addFile(id, account_id) {
      await db
        .insertInto('files')
        .values({ ...row, id, account_id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async bytes() {
      const { rows } = await sql<{ tokens: string }>`select tokens from search_files`.execute(db)
      return rows.map(({ tokens }) => tokens).join()
    },
    async remove() {
      await index.close()
      await db.destroy()
      await removeDirectory()
    },
  }
}

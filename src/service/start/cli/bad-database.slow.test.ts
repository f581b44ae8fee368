import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSchema } from '../../testing/postgres-schemas.ts'
import { runParley, serveProcess } from '../../testing/real-process.ts'
import { hasPostgres, startPostgres, type TestCluster } from '../../testing/start-postgres.ts'

/* Unusable databases: the real program against a real server. */

describe.skipIf(!hasPostgres())('a DATABASE_URL (needs PostgreSQL)', () => {
  let cluster: TestCluster
  let directory: string
  let dataDir: string
  /** of an empty schema */
  let url: string
  beforeAll(() => {
    cluster = startPostgres()
  })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-bad-database-'))
    dataDir = join(directory, 'data')
    url = (await openSchema(cluster.url, false)).url
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(directory, { recursive: true })
  })
  afterAll(() => cluster.remove())

  /** Runs statements as the owner. @returns the rows of the last one */
  async function run(...statements: string[]): Promise<object[]> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      let rows: object[] = []
      for (const statement of statements) ({ rows } = await client.query(statement))
      return rows
    } finally {
      await client.end()
    }
  }

  const tables = () => run('select tablename from pg_tables where schemaname = current_schema() order by 1')

  /** Expects every command to fail with this address: one sentence with the reason, exit code 1, nothing written. */
  async function expectRefused(address: string, sentence: RegExp): Promise<void> {
    const before = await tables()
    vi.stubEnv('DATABASE_URL', address)
    for (const command of [['serve', '--port', '0'], ['migrate'], ['account', 'create']]) {
      const { code, out, error } = await runParley(dataDir, ...command)
      expect({ code, out, error }, command[0]).toEqual({ code: 1, out: '', error: expect.stringMatching(sentence) })
      expect(error.split('\n'), command[0]).toHaveLength(1)
    }
    expect(await tables()).toEqual(before)
    expect(existsSync(dataDir)).toBe(false)
  }

  test('at which nobody answers is refused', async () => {
    await expectRefused(
      'postgres://parley@127.0.0.1:1/parley',
      /^The database at DATABASE_URL cannot be used: .*REFUSED.*Is PostgreSQL running there\?$/,
    )
  })

  test('whose name or user is unknown is refused', async () => {
    await expectRefused(url.replace('/postgres?', '/nothing?'), /cannot be used: database "nothing" does not exist\.$/)
    await expectRefused(url.replace('parley@', 'nobody@'), /cannot be used: role "nobody" does not exist\.$/)
  })

  test('whose user may not create tables, or not use those of another one, is refused', async () => {
    await run('create role visitor login')
    const visitor = url.replace('parley@', 'visitor@')
    await expectRefused(visitor, /^The user of DATABASE_URL may not create tables in its schema\.$/)
    await run(`do $$ begin execute format('grant all on schema %I to visitor', current_schema()); end $$`)
    await run('create table migrations (name text primary key, applied_at bigint not null)')
    await expectRefused(visitor, /^The user of DATABASE_URL may not read and write its tables\.$/)
  })

  test('of a server that is too old is refused', async () => {
    await run(`create function current_setting(text) returns text language sql as 'select ''140010'''`)
    const older = url.replace(/(search_path%3D\w+)/, '$1%2Cpg_catalog')
    await expectRefused(older, /^PostgreSQL 15 or newer is needed; the one at DATABASE_URL is 14\.$/)
  })

  test('of a database that holds something else is refused', async () => {
    await run('create table invoices (id int)')
    await expectRefused(
      url,
      /^The database at DATABASE_URL holds tables of something else\. Give Parley one of its own\.$/,
    )
  })

  test('with another directory of recordings is refused, and nothing is written there', async () => {
    vi.stubEnv('DATABASE_URL', url)
    expect(await runParley(dataDir, 'migrate')).toMatchObject({ code: 0 })
    const node = await serveProcess(dataDir, {})
    expect(await node.end('SIGTERM')).toBe(0)
    const other = join(directory, 'other')
    const { code, error } = await runParley(other, 'serve', '--port', '0')
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^The recordings of this database are not in .*other\. All nodes/),
    ])
    expect(existsSync(other)).toBe(false)
  })
})

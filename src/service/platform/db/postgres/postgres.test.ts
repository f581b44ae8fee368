import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAccount } from '../../../accounts/auth/accounts.ts'
import { openSchema } from '../../../testing/postgres-schemas.ts'
import { hasPostgres, startPostgres, type TestCluster } from '../../../testing/start-postgres.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { defaultConfig } from '../../config.ts'
import { openDb } from '../open.ts'
import { writeAccount } from '../write-account.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { appliedMigrations, openPostgres, requireSchema } from './open-postgres.ts'
import type { PostgresConfig } from './postgres-config.ts'

describe.skipIf(!hasPostgres())('PostgreSQL (needs PostgreSQL)', () => {
  let cluster: TestCluster
  const closers: (() => Promise<unknown>)[] = []
  beforeAll(() => {
    cluster = startPostgres()
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  afterAll(() => cluster.remove())

  async function opened(config: PostgresConfig) {
    const db = await openPostgres(config)
    closers.push(() => db.destroy())
    return db
  }

  test('has the same tables and columns as SQLite', async () => {
    const db = await opened(await openSchema(cluster.url))
    const directory = await mkdtemp(join(tmpdir(), 'parley-columns-'))
    const embedded = await openDb(join(directory, 'parley.db'))
    closers.push(async () => {
      await embedded.destroy()
      await rm(directory, { recursive: true })
    })
    const columnsOf = async (of: typeof db) => {
      const tables = await of.introspection.getTables()
      return tables.map(({ name, columns }) => ({
        name,
        columns: columns.map((column) => `${column.name}${column.isNullable ? ', null' : ''}`).sort(),
      }))
    }
    const keyless = (tables: Awaited<ReturnType<typeof columnsOf>>) =>
      // In SQLite a text primary key may be null; with `strict` and our inserts none ever is.
      JSON.stringify(tables.sort((a, b) => (a.name < b.name ? -1 : 1))).replaceAll(
        /"(id|name|account_id|idempotency_key|row_id), null"/g,
        '"$1"',
      )
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
    const own = (await db.introspection.getTables()).filter(({ schema }) => schema === rows[0]?.schema)
    expect(own.length).toBeGreaterThan(15)
    // On SQLite the search index is a file of its own.
    const ours = own
      .filter(({ name }) => !name.startsWith('search_'))
      .map(({ name, columns }) => ({
        name,
        columns: columns.map((column) => `${column.name}${column.isNullable ? ', null' : ''}`).sort(),
      }))
    expect(keyless(ours)).toEqual(keyless(await columnsOf(embedded)))
  })

  test('is migrated once, and refused until then', async () => {
    const config = await openSchema(cluster.url, false)
    const db = await opened(config)
    await expect(requireSchema(db)).rejects.toThrow(/older than this version.*migrate/)
    const [first, second] = await Promise.all([migratePostgres(db), migratePostgres(await opened(config))])
    expect([first.length, second.length].sort()).toEqual([0, Math.max(first.length, second.length)])
    await requireSchema(db)
    await sql`insert into migrations values ('998-next', 0)`.execute(db)
    await requireSchema(db)
    await sql`insert into migrations values ('999-far', 0)`.execute(db)
    await expect(requireSchema(db)).rejects.toThrow(/newer than this version/)
  })

  test('from before the baseline is refused, and not changed', async () => {
    const db = await opened(await openSchema(cluster.url))
    await sql`delete from migrations`.execute(db)
    await sql`insert into migrations values ('023-pay', 0)`.execute(db)
    for (const open of [requireSchema, migratePostgres]) {
      await expect(open(db)).rejects.toThrow(/of a version of Parley from before its first release/)
    }
    expect(await appliedMigrations(db)).toEqual(['023-pay'])
  })

  test('a machine whose clock is more than 2 s off the database’s is refused', async () => {
    const config = await openSchema(cluster.url)
    for (const offMs of [-60_000, 60_000]) {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + offMs)
      try {
        await expect(openPostgres(config)).rejects.toThrow(
          /clock of this machine and that of the database differ by \d+/,
        )
      } finally {
        clock.mockRestore()
      }
    }
  })

  test('a transaction whose connection is cut runs once: before its commit, and during it', async () => {
    const db = await opened(await openSchema(cluster.url))
    const { accountId } = await createAccount(db, { environment: 'live', name: 'T' }, 1)
    let cuts = 0
    await writeAccount(db, accountId, async (trx) => {
      await sql`update accounts set name = name || '!' where id = ${accountId}`.execute(trx)
      if (cuts++ > 0) return
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx).catch(() => undefined)
      await sql`select 1`.execute(trx)
    })
    expect(cuts).toBe(2)
    const { name } = await db.selectFrom('accounts').select('name').executeTakeFirstOrThrow()
    expect(name).toBe('T!')
  })

  describe('two nodes', () => {
    let nodes: TestService[]
    beforeAll(async () => {
      const postgres = await openSchema(cluster.url)
      const first = await startTestService({ postgres })
      nodes = [first, await startTestService({ postgres, dataDir: first.dataDir })]
    })
    afterAll(async () => {
      for (const node of nodes.toReversed()) await node.close()
    })

    test('answer one idempotency key with one order, and notify each other of it', async () => {
      const [a, b] = nodes as [TestService, TestService]
      const { id: accountId, key } = await a.account({ environment: 'live' })
      const tone = await a.tone(1)
      const told: string[] = []
      b.platform.changes.subscribe((change, isOwn) => {
        if (!isOwn && change.kind === 'file' && change.accountId === accountId) told.push(change.fileId)
      })
      // Anybody who may connect can notify: an uncaught error would end the process, and this run.
      await sql`select pg_notify('parley_' || current_schema(), 'no JSON')`.execute(a.platform.db)
      const form = () => {
        const body = new FormData()
        body.append('file', new Blob([tone as Uint8Array<ArrayBuffer>], { type: 'audio/wav' }), 'a.wav')
        return body
      }
      const order = async (node: TestService, index: number) => {
        const headers = { 'idempotency-key': `key-${index}` }
        const answer = await node.fetch(key, 'files', { method: 'POST', body: form(), headers })
        return ((await answer.json()) as { id: string }).id
      }
      const ids: string[][] = []
      for (let index = 0; index < 10; index += 1) {
        ids.push(await Promise.all(nodes.map((node) => order(node, index))))
      }
      for (const [one, other] of ids) expect(one).toBe(other)
      const rows = await a.platform.db.selectFrom('files').select('id').where('account_id', '=', accountId).execute()
      expect(rows.map(({ id }) => id).sort()).toEqual(ids.map(([id]) => id).sort())
      const charges = await b.platform.db
        .selectFrom('ledger')
        .select('id')
        .where('account_id', '=', accountId)
        .execute()
      expect(charges).toHaveLength(10)
      await expect.poll(() => told.length).toBeGreaterThan(0)
    })

    test('a node with another directory of recordings is refused', async () => {
      const { postgres } = nodes[0]?.platform.config ?? defaultConfig
      if (postgres === null) throw new Error('It is on PostgreSQL.')
      await expect(startTestService({ postgres })).rejects.toThrow(/recordings of this database are not in/)
    })

    test('a directory with recordings is refused by a database that does not know them, embedded or not', async () => {
      const [a] = nodes as [TestService]
      const { key } = await a.account()
      await a.order(key, await a.tone(1))
      const other = startTestService({ postgres: await openSchema(cluster.url), dataDir: a.dataDir })
      await expect(other).rejects.toThrow(/has recordings that this database does not know/)
      expect((await a.fetch(key, 'files')).status).toBe(200)
    })
  })
})

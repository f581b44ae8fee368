import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../platform/db/migrations.ts'
import { openPostgres } from '../platform/db/postgres/open-postgres.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { hasPostgres, startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { copyTable } from './copy-tables.ts'

describe.skipIf(!hasPostgres())('copying tables (needs PostgreSQL)', () => {
  let cluster: TestCluster
  beforeAll(() => {
    cluster = startPostgres()
  })
  afterAll(() => cluster.remove())

  test('refines texts, and names the table and row that the target does not take', async () => {
    const source = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
    for (const { sqlite } of migrations) for (const statement of sqlite) source.exec(statement)
    source.exec(`insert into accounts (id, environment, name, currency, discount_percent, custom_formatting_enabled,
      default_options_json, settings_json, created_at) values ('a', 'live', 'x' || char(0) || 'y', 'USD', 0, 0, '{}', '{}', 1);
      insert into projects (id, account_id, name, created_at) values ('p1', 'a', 'One', 1), ('p2', 'none', 'Two', 1)`)
    const target = await openPostgres(await openSchema(cluster.url))
    try {
      await copyTable(source, target, 'accounts')
      expect(await target.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'xy' }])
      const words =
        /^The target does not take a row of the table projects \(id "p2", account_id "none"\): .*foreign key/
      await expect(copyTable(source, target, 'projects')).rejects.toThrow(words)
    } finally {
      source.close()
      await target.destroy()
    }
  })
})

import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { requireCurrencies } from '../orders/money/get-rates.ts'
import type { Config } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { findMissing } from '../platform/db/migrations.ts'
import type { PostgresConfig } from '../platform/db/postgres/postgres-config.ts'
import { explainError, StartError } from '../platform/start-error.ts'
import type { Finding } from './doctor-findings.ts'

/** Whether the database can be read, is sound, and is one that the service would start with. */
export async function checkDatabase(config: Config): Promise<Finding> {
  return config.postgres === null ? embeddedDatabase(config) : await sharedDatabase(config.postgres)
}

async function sharedDatabase(postgres: PostgresConfig): Promise<Finding> {
  try {
    const [{ openMigrated }, { nodePrefixes }] = await Promise.all([
      import('../platform/db/postgres/open-postgres.ts'),
      import('../platform/db/postgres/nodes.ts'),
    ])
    const db = await openMigrated(postgres)
    const nodes = await db.selectFrom('nodes').select('id').execute()
    await db.destroy()
    const without = (prefix: string) => nodes.filter(({ id }) => !id.startsWith(prefix)).length
    const [answering, working] = [without(nodePrefixes.worker), without(nodePrefixes.api)]
    const ok = answering > 0 === working > 0
    const says = `PostgreSQL is up to date; processes that answer requests: ${answering}, that work on orders: ${working}`
    return { check: 'database', ok, says }
  } catch (error) {
    return { check: 'database', ok: false, says: explainError(error) }
  }
}

function embeddedDatabase({ dataDir, rates }: Config): Finding {
  const path = dataPaths(dataDir).database
  if (!existsSync(path))
    return { check: 'database', ok: false, says: `Nothing in ${dataDir}: is --data right? The first start creates it.` }
  try {
    using sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    const [{ integrity_check: words } = {}] = sqlite.prepare('pragma integrity_check(1)').all()
    const broken = sqlite.prepare('pragma foreign_key_check').all().length
    const [{ files } = {}] = sqlite.prepare('select count(*) as files from files').all()
    const texts = (query: string) =>
      sqlite
        .prepare(query)
        .all()
        .map((row) => String(Object.values(row)[0]))
    findMissing(texts('select name from migrations'), 0)
    requireCurrencies(texts('select distinct currency from accounts'), rates)
    const ok = words === 'ok' && broken === 0
    return { check: 'database', ok, says: ok ? `OK; ${String(files)} files` : `Damaged: ${String(words)}` }
  } catch (error) {
    const says = error instanceof StartError ? error.message : `Cannot be read: ${explainError(error)}`
    return { check: 'database', ok: false, says }
  }
}

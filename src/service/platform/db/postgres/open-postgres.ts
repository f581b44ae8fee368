import { Socket } from 'node:net'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { commandLine } from '../../command-line.ts'
import { explainError, StartError } from '../../start-error.ts'
import { findMissing } from '../migrations.ts'
import type { Db } from '../open.ts'
import type { Database } from '../schema.ts'
import type { PostgresConfig } from './postgres-config.ts'

const oldestVersion = 150_000
const mostSkewMs = 2_000
/** Connection timeout; requests are then answered 503. */
const connectWithinMs = 4_000

/** `bigint`, `numeric`: all of ours are below 2^53 */
const numberTypes = [20, 1700]
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    numberTypes.includes(oid) ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as unknown as pg.CustomTypesConfig

/** A connection silent for this long during a query has lost its server; TCP takes 15 minutes to notice. */
const silentAfterMs = 30_000

function impatientSocket(): Socket {
  const socket = new Socket()
  const silent = () => socket.destroy(new Error('Connection terminated: the database fell silent'))
  return socket.setTimeout(silentAfterMs, silent)
}

/** Settings of every connection. A process suspended in a transaction must not hold its account forever. */
export function parseConnection(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    application_name: 'parley',
    idle_in_transaction_session_timeout: 30_000,
    lock_timeout: 20_000,
  }
}

/** @throws StartError in one sentence: it is unreachable, is too old, holds something else, or its clock differs */
async function requireUsable(db: Db): Promise<void> {
  const askedAt = Date.now()
  const { rows } = await sql<{
    version: number
    now: number
    others: number
    ours: number
    may: boolean
    uses: boolean
  }>`
    select current_setting('server_version_num')::bigint as version,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
      has_schema_privilege(current_schema(), 'create') as may,
      (select coalesce(bool_and(has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
          and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')), true)
        from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace) as uses,
      (select count(*) from pg_tables where schemaname = current_schema()) as others,
      (select count(*) from pg_tables where schemaname = current_schema() and tablename = 'migrations') as ours`.execute(
    db,
  )
  const [found] = rows
  const answeredAt = Date.now()
  if (found === undefined) throw new StartError('The database at DATABASE_URL gives no answer.')
  if (found.version < oldestVersion) {
    throw new StartError(
      `PostgreSQL 15 or newer is needed; the one at DATABASE_URL is ${Math.floor(found.version / 10_000)}.`,
    )
  }
  if (found.ours === 0 && found.others > 0) {
    throw new StartError('The database at DATABASE_URL holds tables of something else. Give Parley one of its own.')
  }
  if (!found.may) throw new StartError('The user of DATABASE_URL may not create tables in its schema.')
  if (!found.uses) throw new StartError('The user of DATABASE_URL may not read and write its tables.')
  const skewMs = Math.max(askedAt - found.now, found.now - answeredAt)
  if (skewMs > mostSkewMs) {
    const seconds = (skewMs / 1_000).toFixed(1)
    throw new StartError(`The clock of this machine and that of the database differ by ${seconds} s. Set them right.`)
  }
}

/** The migrations that a database has applied; none if it has no table of ours. */
export async function appliedMigrations(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ there: string | null }>`select to_regclass('migrations')::text as there`.execute(db)
  if (rows[0]?.there == null) return []
  const applied = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return applied.rows.map(({ name }) => name)
}

/**
 * Rejects a schema that this program does not fit: older than it needs, or newer than the one release that it may be
 * behind by.
 * @throws StartError
 */
export async function requireSchema(db: Db): Promise<void> {
  if (findMissing(await appliedMigrations(db), 1).length > 0) {
    throw new StartError(`The database is older than this version of Parley. Run: ${commandLine} migrate`)
  }
}

/** Opens PostgreSQL for work. @throws StartError as `openPostgres` and `requireSchema` */
export function openMigrated(config: PostgresConfig): Promise<Db> {
  return openPostgres(config, requireSchema, { stream: impatientSocket })
}

/**
 * Opens PostgreSQL without writing anything.
 * @param requireMore throws if something else is wrong with it
 * @throws StartError if it cannot be used, in one sentence that says why
 */
export async function openPostgres(
  { url, pool }: PostgresConfig,
  requireMore: (db: Db) => Promise<void> = async () => undefined,
  options: pg.PoolConfig = {},
): Promise<Db> {
  const connections = new pg.Pool({ ...parseConnection(url), max: pool, ...options })
  // The query of a broken connection fails anyway; without a listener, the event would end the process as well.
  connections.on('error', () => {})
  connections.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: connections }) })
  try {
    await requireUsable(db)
    await requireMore(db)
    return db
  } catch (error) {
    await db.destroy()
    if (error instanceof StartError) throw error
    const words = `The database at DATABASE_URL cannot be used: ${explainError(error)}.`
    throw new StartError(`${words}${adviseOn(error)}`, { cause: error })
  }
}

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: ' Is PostgreSQL running there?',
  ENOTFOUND: " Is the host's name right?",
}

/** What to look at after a connection has failed; '' if that is not known. */
function adviseOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return advice[code] ?? ''
}

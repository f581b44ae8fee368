import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { dataPaths } from './data-directory.ts'
import { Changes } from './db/changes.ts'
import { OneNode } from './db/hearing-pace.ts'
import { type HotReads, SqliteHotReads } from './db/hot-reads.ts'
import { keyHashOfHeader } from './db/key-hash.ts'
import { type Db, openDb } from './db/open.ts'
import { mintId } from './ids.ts'
import type { RecordingsPlace } from './media/blob-store.ts'
import type { Platform } from './platform.ts'

/** The database with its accessories, embedded or PostgreSQL. */
export type Store = {
  db: Db
  hotReads: HotReads
  changes: Changes
  /** the name of this process in its leases */
  node: string
  /** see `Platform` */
  nodes: Platform['nodes']
  /** @throws if the database cannot be read, or its schema no longer fits this program */
  check(): Promise<void>
  close(): Promise<void>
}

/** The holder of the data directory's lock is this node, before and after a crash. */
const embeddedNode = 'embedded'

async function openEmbedded({ dataDir, workerParallel }: Config): Promise<Store> {
  const { database } = dataPaths(dataDir)
  const db = await openDb(database)
  const hotReads = new SqliteHotReads(database, keyHashOfHeader)
  const close = async () => {
    hotReads.close()
    await db.destroy()
  }
  const check = async () => void (await db.selectFrom('accounts').select('id').limit(1).execute())
  return {
    db,
    hotReads,
    changes: new Changes(),
    node: embeddedNode,
    nodes: new OneNode(workerParallel),
    check,
    close,
  }
}

/** Loads PostgreSQL code lazily, only if it is used. */
async function openShared(
  { role, workerParallel: parallel }: Config,
  postgres: NonNullable<Config['postgres']>,
  place: RecordingsPlace,
  log: Logger,
): Promise<Store> {
  const [
    { openMigrated, requireSchema },
    { PostgresHotReads },
    { Bell },
    { Nodes, nodePrefixes },
    { requireRecordings },
  ] = await Promise.all([
    import('./db/postgres/open-postgres.ts'),
    import('./db/postgres/postgres-hot-reads.ts'),
    import('./db/postgres/listen-notify.ts'),
    import('./db/postgres/nodes.ts'),
    import('./db/postgres/recordings-mark.ts'),
  ])
  const db = await openMigrated(postgres)
  const changes = new Changes()
  const node = mintId(nodePrefixes[role])
  const hotReads = new PostgresHotReads(db, changes, keyHashOfHeader)
  const bell = new Bell(db, postgres.directUrl, { node, changes, log })
  const nodes = new Nodes(db, { id: node, parallel }, log)
  const close = async () => {
    await nodes.close()
    await bell.close()
    hotReads.close()
    await db.destroy()
  }
  try {
    await requireRecordings(db, place)
    await bell.start()
    await nodes.start()
    return { db, hotReads, changes, node, nodes, check: () => requireSchema(db), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens the configured database.
 * @param place the storage of the recordings
 * @throws StartError, or SQLite's error for a damaged file
 */
export function openStore(config: Config, place: RecordingsPlace, log: Logger): Promise<Store> {
  return config.postgres === null ? openEmbedded(config) : openShared(config, config.postgres, place, log)
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../platform/config.ts'
import { dataPaths, lockDataDirectory } from '../platform/data-directory.ts'
import { type Db, openDb } from '../platform/db/open.ts'
import type { PostgresConfig } from '../platform/db/postgres/postgres-config.ts'
import { markOf, recordingsSecret } from '../platform/db/postgres/recordings-mark.ts'
import type { RecordingsPlace } from '../platform/media/recordings-place.ts'
import type { S3Config } from '../platform/media/s3/s3-config.ts'
import { type Move, readMove, writeMove } from '../platform/moved-data.ts'
import { StartError } from '../platform/start-error.ts'
import { copyBlobs } from './copy-blobs.ts'
import { compareTables, copyTable, setCounters, tablesOf } from './copy-tables.ts'

/*
 * The embedded data moves to PostgreSQL and a bucket. What has arrived is never taken back, so a move that was killed goes
 * on when it is run again: rows that are there are left, blobs that are there are only compared. Until all of it is
 * compared the target's secret `recordings` fits no bucket, so that no service starts on half of it; the source's
 * `moved-to` keeps the service from the old directory.
 */

export type Moved = { movedTo: string; files: number; bytes: number; rows: number; ledgerCents: number }

function nameOf({ url }: PostgresConfig, place: RecordingsPlace): string {
  // A socket's address is no URL to `URL`.
  return `${url.replace(/\?.*/s, '').replace(/\/\/.*@/s, '//')} and ${place.name}`
}

/** @throws StartError if the target holds anything */
async function requireEmpty({ target, place }: Ends): Promise<void> {
  const account = await target.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  if ((await markOf(target)) !== null || account !== undefined) {
    throw new StartError('The database at DATABASE_URL has data already. Move into an empty one.')
  }
  if ((await place.readMark()) !== null || (await place.hasRecordings())) {
    throw new StartError(`${place.name} has recordings already. Move into an empty one.`)
  }
}

/** Takes the target for a move, which is noted here before. */
async function takeTarget(dataDir: string, move: Move, ends: Ends): Promise<void> {
  await requireEmpty(ends)
  writeMove(dataDir, move)
  const taken = { name: recordingsSecret, value: `moving ${move.id}` }
  await ends.target.insertInto('secrets').values(taken).execute()
}

type Ends = { source: DatabaseSync; target: Db; place: RecordingsPlace; open: Opened['open'] }
type Opened = Awaited<ReturnType<typeof import('../platform/media/s3/open-s3.ts').openS3>>

async function copyAll(dataDir: string, { source, target, open }: Ends): Promise<Omit<Moved, 'movedTo'>> {
  for (const table of tablesOf(source)) await copyTable(source, target, table)
  await setCounters(target)
  const compared = await compareTables(source, target)
  const blobs = await open()
  let [files, bytes] = [0, 0]
  for (const { id } of source.prepare('select id from files order by id').all()) {
    bytes += await copyBlobs(join(dataPaths(dataDir).blobs, 'files', String(id)), String(id), blobs)
    files += 1
  }
  return { files, bytes, ...compared }
}

async function move(dataDir: string, name: string, ends: Ends): Promise<Moved | { movedTo: string }> {
  const begun = readMove(dataDir)
  if (begun !== null && begun.to !== name) throw new StartError(`The move to ${begun.to} has begun, not to ${name}.`)
  const current = begun ?? { id: randomUUID(), to: name, isDone: false }
  const mark = await markOf(ends.target)
  const isThere = mark === current.id
  if (!isThere && mark !== `moving ${current.id}`) await takeTarget(dataDir, current, ends)
  const copied = isThere ? {} : await copyAll(dataDir, ends)
  await ends.place.writeMark(current.id)
  const secret = ends.target.updateTable('secrets').set({ value: current.id })
  await secret.where('name', '=', recordingsSecret).execute()
  writeMove(dataDir, { ...current, isDone: true })
  return { movedTo: name, ...copied }
}

async function openEnds(dataDir: string, postgres: PostgresConfig, s3: S3Config): Promise<Ends> {
  const [{ openPostgres }, { migratePostgres }, { openS3 }] = await Promise.all([
    import('../platform/db/postgres/open-postgres.ts'),
    import('../platform/db/postgres/migrate-postgres.ts'),
    import('../platform/media/s3/open-s3.ts'),
  ])
  const paths = dataPaths(dataDir)
  const { place, open } = await openS3(s3, paths.scratch)
  await (await openDb(paths.database)).destroy() // brings it up to date
  const target = await openPostgres(postgres)
  await migratePostgres(target)
  return { source: new DatabaseSync(paths.database, { readOnly: true }), target, place, open }
}

/**
 * `migrate-to`: moves everything from the data directory to the database and the bucket that the configuration names,
 * while no service runs. @throws StartError if it cannot, or what has arrived differs
 */
export async function migrateTo({ dataDir, postgres, s3 }: Config): Promise<Moved | { movedTo: string }> {
  if (postgres === null || s3 === null) throw new StartError('Set DATABASE_URL and BLOBS to where the data is to go.')
  if (!existsSync(dataPaths(dataDir).database)) throw new StartError(`There is no embedded data in ${dataDir}.`)
  const unlock = lockDataDirectory(dataDir)
  try {
    const ends = await openEnds(dataDir, postgres, s3)
    try {
      return await move(dataDir, nameOf(postgres, ends.place), ends)
    } finally {
      ends.source.close()
      await ends.target.destroy()
    }
  } finally {
    unlock()
  }
}

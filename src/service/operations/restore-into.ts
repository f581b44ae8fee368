import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Config } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import { type Db, openDb } from '../platform/db/open.ts'
import type { PostgresConfig } from '../platform/db/postgres/postgres-config.ts'
import { queryMark, recordingsSecret } from '../platform/db/postgres/recordings-mark.ts'
import type { BlobPart, BlobStore } from '../platform/media/blob-store.ts'
import { isAbsent } from '../platform/media/file-errors.ts'
import { findBlobs, type OpenedPlace } from '../platform/media/open-blobs.ts'
import { StartError } from '../platform/start-error.ts'
import { revokeAllKeys } from './carry-over.ts'
import { manifestName } from './check-backup.ts'
import { compareTables, copyTable, listTables, setCounters } from './copy-tables.ts'
import { warnOfKeys, withBackup } from './restore.ts'

/*
 * Restores a backup into an empty PostgreSQL, and a bucket or directory. Nothing that has arrived is rolled back, so a
 * killed restore continues when it is run again with the same backup: existing rows are skipped, existing blobs only
 * compared. Until everything is compared, the target's secret `recordings` matches no place, so that no service starts
 * on incomplete data.
 */

type Copied = { files: number; bytes: number; rows: number; ledgerCents: number }
/** `warning`: of keys that work again */
export type Restored = { restoredInto: string; warning?: string } & Copied
type Ends = { source: DatabaseSync; target: Db; blobs: OpenedPlace }

/** @returns the target as operators know it, without its password */
function nameTarget({ url }: PostgresConfig, { place }: OpenedPlace): string {
  // `URL` cannot parse the address of a socket.
  return `${url.replace(/\?.*/s, '').replace(/\/\/.*@/s, '//')} and ${place.name}`
}

/** @throws StartError if the target holds anything */
async function requireEmpty({ target, blobs: { place } }: Ends): Promise<void> {
  const account = await target.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  if ((await queryMark(target)) !== null || account !== undefined) {
    throw new StartError('The database has data already. Restore into an empty one.')
  }
  if ((await place.readMark()) !== null || (await place.hasRecordings())) {
    throw new StartError(`${place.name} has recordings already. Restore into an empty one.`)
  }
}

/**
 * Claims an empty target for a backup, or resumes an earlier restore of the same backup.
 * @param backup identifies it
 * @returns the mark that database and recordings get at the end
 * @throws StartError if the target holds anything else
 */
async function takeTarget(backup: string, ends: Ends): Promise<string> {
  const begun = `restoring ${backup} `
  const found = await queryMark(ends.target)
  if (found?.startsWith(begun)) return found.slice(begun.length)
  await requireEmpty(ends)
  const mark = randomUUID()
  const taken = { name: recordingsSecret, value: begun + mark }
  await ends.target.insertInto('secrets').values(taken).execute()
  return mark
}

async function copyAll(unpacked: string, { source, target, blobs }: Ends): Promise<Copied> {
  for (const table of listTables(source)) await copyTable(source, target, table)
  await setCounters(target)
  const compared = await compareTables(source, target)
  const store = await blobs.open()
  let [files, bytes] = [0, 0]
  for (const { id } of source.prepare('select id from files order by id').all()) {
    bytes += await copyBlobs(join(dataPaths(unpacked).blobs, 'files', String(id)), String(id), store)
    files += 1
  }
  return { files, bytes, ...compared }
}

async function fillTarget(unpacked: string, ends: Ends, areKeysRevoked: boolean): Promise<Copied> {
  const backup = createHash('sha256').update(await readFile(join(unpacked, manifestName)))
  const mark = await takeTarget(backup.digest('hex'), ends)
  const copied = await copyAll(unpacked, ends)
  const revocations = areKeysRevoked ? revokeAllKeys(Date.now()) : []
  for (const statement of revocations) await sql.raw(statement).execute(ends.target)
  await ends.blobs.place.writeMark(mark)
  const secret = ends.target.updateTable('secrets').set({ value: mark })
  await secret.where('name', '=', recordingsSecret).execute()
  return copied
}

async function openEnds(unpacked: string, config: Config, postgres: PostgresConfig): Promise<Ends> {
  const [{ openPostgres }, { migratePostgres }] = await Promise.all([
    import('../platform/db/postgres/open-postgres.ts'),
    import('../platform/db/postgres/migrate-postgres.ts'),
  ])
  const { database } = dataPaths(unpacked)
  const blobs = await findBlobs(config)
  await (await openDb(database)).destroy() // migrates it
  const target = await openPostgres(postgres)
  await migratePostgres(target)
  return { source: new DatabaseSync(database, { readOnly: true }), target, blobs }
}

/**
 * `restore FILE --into`: restores into the empty database and place of recordings in the configuration.
 * @param areKeysRevoked no key of the backup works afterwards
 * @throws StartError if the file is not a backup or is damaged, the target is not empty, or copied data differs
 */
export function restoreInto(
  config: Config,
  postgres: PostgresConfig,
  file: string,
  areKeysRevoked = false,
): Promise<Restored> {
  return withBackup(config.dataDir, file, async (unpacked) => {
    const ends = await openEnds(unpacked, config, postgres)
    try {
      const copied = await fillTarget(unpacked, ends, areKeysRevoked)
      const warning = warnOfKeys('none', areKeysRevoked)
      return { restoredInto: nameTarget(postgres, ends.blobs), ...copied, ...(warning && { warning }) }
    } finally {
      ends.source.close()
      await ends.target.destroy()
    }
  })
}

/** Regenerated on request. */
const leftParts = /^rendered\//

async function hashContent(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

async function listBlobParts(home: string): Promise<BlobPart[]> {
  try {
    const entries = await readdir(home, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return paths.map((path) => relative(home, path) as BlobPart).filter((part) => !leftParts.test(part))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/**
 * Copies the blobs of a file that the target lacks, then reads all back and compares their SHA-256.
 * @param home the directory of the file.
 * @returns its size in bytes
 * @throws StartError if they differ
 */
async function copyBlobs(home: string, fileId: string, target: BlobStore): Promise<number> {
  let bytes = 0
  for (const part of await listBlobParts(home)) {
    const path = join(home, part)
    const { size } = await stat(path)
    if ((await target.size(fileId, part)) !== size) await target.write(fileId, part, createReadStream(path))
    const [own, there] = await Promise.all([
      hashContent(createReadStream(path)),
      hashContent(target.read(fileId, part)),
    ])
    if (own !== there) {
      await target.write(fileId, part, createReadStream(path))
      if ((await hashContent(target.read(fileId, part))) !== own)
        throw new StartError(`${part} of the file ${fileId} does not arrive in the bucket as it is here.`)
    }
    bytes += size
  }
  return bytes
}

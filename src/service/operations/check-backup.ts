import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { baseline } from '../platform/db/baseline.ts'
import { migrations, migrationsTable } from '../platform/db/migrations.ts'
import { StartError } from '../platform/start-error.ts'

export const manifestName = 'manifest.json'
const known =
  /^(parley\.db|manifest\.json|pages(\/[\w-]{1,64}\.md)?|blobs(\/files(\/[\w-]{1,128}(\/(media|listen|words\.json|peaks))?)?)?)$/
/** @param path of a file or folder, relative to the backup */
export const belongsInBackup = (path: string): boolean => known.test(path)

/** Size and SHA-256 (hex) of each file in a backup by path, except the manifest itself. */
type Manifest = Record<string, { bytes: number; sha256: string }>
/** `isDeleted`: its recording, by a retention rule; the text stays */
type Recording = { id: string; isDeleted: 0 | 1 }

/**
 * Builds the manifest of a backup in progress or unpacked.
 * @param names how many hard links a file may have: 2 while a backup is in progress, as its files link to the data
 * @throws StartError if anything is not a plain file or directory, has more links, or does not belong in a backup
 */
export async function readManifest(directory: string, names: 1 | 2): Promise<Manifest> {
  const manifest: Manifest = {}
  for (const { parentPath, name } of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const absolute = join(parentPath, name)
    const path = relative(directory, absolute)
    const found = await lstat(absolute) // for a symlink, the link itself
    const isPlain = found.isDirectory() || (found.isFile() && found.nlink <= names)
    if (!(isPlain && belongsInBackup(path)))
      throw new StartError(`The backup was rejected: ${path} does not belong in one.`)
    if (found.isDirectory() || path === manifestName) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(absolute), hash)
    manifest[path] = { bytes: found.size, sha256: hash.digest('hex') }
  }
  return manifest
}

/** Tables, indexes and triggers of a database, with whitespace normalized. */
function readSchema(database: DatabaseSync): unknown[] {
  const query =
    "select type, name, sql from sqlite_master where name not like 'sqlite#_%' escape '#' order by type, name"
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row, sql: String(row.sql).replaceAll(/\s+/g, ' ') }))
}

/** The schema of a new database after the same migrations. @throws StartError if one is unknown */
function expectedSchema(applied: readonly string[]): unknown[] {
  const newer = applied.find((name) => name > baseline.name && !migrations.some((each) => each.name === name))
  if (newer !== undefined) throw new StartError(`The backup was made by a newer version of Parley (${newer}).`)
  if (applied.length > 0 && !applied.includes(baseline.name)) {
    throw new StartError('The backup was made by a version of Parley from before its first release.')
  }
  const model = new DatabaseSync(':memory:')
  try {
    model.exec(migrationsTable)
    for (const { name, sqlite } of migrations) {
      if (applied.includes(name)) for (const statement of sqlite) model.exec(statement)
    }
    return readSchema(model)
  } finally {
    model.close()
  }
}

/** Reads the database of a backup, which is untrusted until proved intact. @throws StartError */
function readDatabase(path: string): Recording[] {
  // Immutable: no journal is written alongside it, whatever mode it requests.
  const address = pathToFileURL(path)
  address.search = 'immutable=1'
  const snapshot = new DatabaseSync(address, { readOnly: true })
  try {
    const [{ integrity_check: words } = {}] = snapshot.prepare('pragma integrity_check(1)').all()
    if (words !== 'ok') throw new StartError(`The database in the backup is damaged: ${String(words)}.`)
    const applied = snapshot.prepare('select name from migrations').all() as { name: string }[]
    const expected = expectedSchema(applied.map(({ name }) => name))
    if (!isDeepStrictEqual(readSchema(snapshot), expected)) {
      throw new StartError('The backup was rejected: its database has tables or triggers that are not Parley’s.')
    }
    const recordings = 'select id, recording_deleted_at is not null as isDeleted from files'
    return snapshot.prepare(recordings).all() as Recording[]
  } finally {
    snapshot.close()
  }
}

/**
 * Verifies an unpacked backup, trusting nothing in it: only plain files that belong in backups, matching the manifest,
 * an intact database with Parley's own tables, and the recording of each file.
 * @returns how many files it has
 * @throws StartError with a readable message
 */
export async function checkBackup(directory: string): Promise<number> {
  try {
    const found = await readManifest(directory, 1)
    const written = await readFile(join(directory, manifestName), 'utf8').catch(() => null)
    if (written === null || found['parley.db'] === undefined) throw new StartError('This is not a Parley backup.')
    if (!isDeepStrictEqual(JSON.parse(written), found)) {
      throw new StartError('The backup is damaged: its files are not the ones that were saved.')
    }
    const recordings = readDatabase(join(directory, 'parley.db'))
    for (const { id, isDeleted } of recordings) {
      if (isDeleted === 1 || found[`blobs/files/${id}/media`] !== undefined) continue
      throw new StartError(`The backup is damaged: it lacks the recording of the file ${id}.`)
    }
    return recordings.length
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError('The backup is damaged: its database or a recording cannot be read.', { cause: error })
  }
}

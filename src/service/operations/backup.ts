import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataPaths } from '../platform/data-directory.ts'
import { FullDiskError, orFullDisk, saysFullDisk } from '../platform/full-disk.ts'
import { explainError, StartError } from '../platform/start-error.ts'
import { belongsInBackup, manifestName, readManifest } from './check-backup.ts'
import { noteBackup } from './last-backup.ts'

/*
 * A backup is one tar file, written while the service runs: `parley.db`, a consistent snapshot of the database,
 * `blobs/files/<id>/…`, every part of the files in the snapshot, `pages/`, what the operator wrote for customers, and
 * `manifest.json`, their sizes and hashes. Complete parts are immutable, so they are hard-linked at the moment of the
 * snapshot and copied afterwards. Excluded: renderings (regenerated on request), models (downloaded again), unfinished
 * uploads.
 */

/**
 * The parts of a file in a backup; the first is required, unless a retention rule deleted the recording: then only the
 * words remain.
 */
const backedUpParts = ['media', 'listen', 'words.json', 'peaks']
const withoutRecording = ['words.json']

/**
 * Runs the system's tar, which every Debian, Fedora and macOS has.
 * @param written what it writes, to be named if the disk is full
 * @throws StartError with the end of its output
 */
export async function runTar(args: readonly string[], written: string): Promise<void> {
  const child = spawn('tar', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (chunk) => (words = (words + chunk).slice(-500)))
  const code = await new Promise<number | null>((done, failed) => child.on('close', done).on('error', failed))
  if (code !== 0 && saysFullDisk(words)) throw new FullDiskError(written)
  if (code !== 0) throw new StartError(`tar failed: ${words.trim() || `exit ${code}`}`)
}

async function linkParts(from: string, to: string, parts: readonly string[]): Promise<boolean> {
  await mkdir(to, { recursive: true })
  for (const part of parts) {
    await link(join(from, part), join(to, part)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  return (await readdir(to)).includes(parts[0] ?? '')
}

/** Deletes from the snapshot rows of data not in the backup: unfinished uploads, exports, and files deleted in the meantime. */
function pruneSnapshot(snapshot: DatabaseSync, fileIds: readonly string[]): void {
  snapshot.exec('delete from uploads; delete from exports')
  for (const table of ['pieces', 'jobs']) {
    const statement = snapshot.prepare(`delete from ${table} where file_id = ?`)
    for (const id of fileIds) statement.run(id)
  }
  const file = snapshot.prepare('delete from files where id = ?')
  for (const id of fileIds) file.run(id)
}

/** Copies what the operator wrote for customers, if anything. */
async function copyPages(from: string, to: string): Promise<void> {
  const names = existsSync(from) ? (await readdir(from)).filter((name) => belongsInBackup(`pages/${name}`)) : []
  if (names.length > 0) await mkdir(to)
  for (const name of names) await copyFile(join(from, name), join(to, name))
}

/** Writes the snapshot, copies of pages, and hard links to its recordings into a directory. @returns how many files it has */
export async function snapshotInto(directory: string, dataDir: string): Promise<number> {
  const { database, blobs, pages } = dataPaths(dataDir)
  try {
    const live = new DatabaseSync(database, { timeout: 10_000 })
    live.prepare('vacuum into ?').run(join(directory, 'parley.db'))
    live.close()
  } catch (error) {
    throw await orFullDisk(error, dataDir)
  }
  const snapshot = new DatabaseSync(join(directory, 'parley.db'))
  try {
    type Row = { id: string; recording_deleted_at: number | null }
    const files = snapshot.prepare('select id, recording_deleted_at from files').all() as Row[]
    const gone: string[] = []
    await mkdir(join(directory, 'blobs', 'files'), { recursive: true })
    await copyPages(pages, join(directory, 'pages'))
    for (const { id, recording_deleted_at } of files) {
      const to = join(directory, 'blobs', 'files', id)
      const parts = recording_deleted_at === null ? backedUpParts : withoutRecording
      if (await linkParts(join(blobs, 'files', id), to, parts)) continue
      gone.push(id)
      await rm(to, { recursive: true })
    }
    pruneSnapshot(snapshot, gone)
    return files.length - gone.length
  } finally {
    snapshot.close()
  }
}

/**
 * Backs up a data directory, also while the service runs on it. The backup is complete or absent, and readable only by
 * its owner, as it contains customer data.
 * @throws StartError if there is no data, or the file exists or cannot be written
 */
export async function backup(dataDir: string, file: string): Promise<{ file: string; files: number; bytes: number }> {
  const target = resolve(file)
  if (await stat(target).catch(() => null)) throw new StartError(`${file} already exists. Choose another file name.`)
  if (!existsSync(dataPaths(dataDir).database)) throw new StartError(`There is no Parley data in ${dataDir}.`)
  // Next to the data, since hard links cannot cross file systems.
  const directory = await mkdtemp(join(dataDir, 'backup-'))
  const part = `${target}.part`
  try {
    const madeAt = Date.now()
    const files = await snapshotInto(directory, dataDir)
    const opened = await open(part, 'w', 0o600).catch((cause: unknown) => {
      throw new StartError(`${file} cannot be written: ${explainError(cause)}.`, { cause })
    })
    await opened.close()
    await writeFile(join(directory, manifestName), JSON.stringify(await readManifest(directory, 2)))
    await runTar(['-cf', part, '-C', directory, ...(await readdir(directory))], target)
    const written = await open(part, 'r+')
    await written.sync()
    const { size } = await written.stat()
    await written.close()
    await rename(part, target)
    noteBackup(dataDir, { at: madeAt, files })
    return { file: target, files, bytes: size }
  } finally {
    // Where nothing may be written nothing is left, and the reason is known.
    await rm(part, { force: true }).catch(() => undefined)
    await rm(directory, { recursive: true, force: true })
  }
}

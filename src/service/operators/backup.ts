import { spawn } from 'node:child_process'
import { link, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataPaths } from '../data-directory.ts'
import { reasonOf, StartError } from '../start-error.ts'

/*
 * A backup is one tar file, taken while the service runs: `parley.db`, a snapshot of the database in one moment, and
 * `blobs/files/<id>/…`, every part of the files that the snapshot knows. Parts never change once they are there, so
 * they are given a second name at the moment of the snapshot and copied at leisure. Not in it: renderings (made again
 * when asked for), models (downloaded again), unfinished uploads.
 */

/** What a backup has of a file; renderings are left out. */
const backedUpParts = ['media', 'words.json', 'peaks']

/** Runs the system's tar, which every Debian, Fedora and macOS has. @throws StartError with its last words */
export async function runTar(args: readonly string[]): Promise<void> {
  const child = spawn('tar', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (chunk) => (words = (words + chunk).slice(-500)))
  const code = await new Promise<number | null>((done, failed) => child.on('close', done).on('error', failed))
  if (code !== 0) throw new StartError(`tar failed: ${words.trim() || `exit ${code}`}`)
}

async function linkParts(from: string, to: string): Promise<boolean> {
  await mkdir(to, { recursive: true })
  for (const part of backedUpParts) {
    await link(join(from, part), join(to, part)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  return (await readdir(to)).includes('media')
}

/** Takes out of the snapshot what it knows and the backup has not: files deleted meanwhile, unfinished uploads. */
function pruneSnapshot(snapshot: DatabaseSync, fileIds: readonly string[]): void {
  snapshot.exec('delete from uploads')
  for (const table of ['pieces', 'jobs']) {
    const statement = snapshot.prepare(`delete from ${table} where file_id = ?`)
    for (const id of fileIds) statement.run(id)
  }
  const file = snapshot.prepare('delete from files where id = ?')
  for (const id of fileIds) file.run(id)
}

/** Fills a directory with the snapshot and links to the recordings it knows. @returns how many files are in it */
async function snapshotInto(directory: string, dataDir: string): Promise<number> {
  const { database, blobs } = dataPaths(dataDir)
  const live = new DatabaseSync(database, { timeout: 10_000 })
  live.prepare('vacuum into ?').run(join(directory, 'parley.db'))
  live.close()
  const snapshot = new DatabaseSync(join(directory, 'parley.db'))
  try {
    const ids = snapshot.prepare('select id from files').all() as { id: string }[]
    const gone: string[] = []
    await mkdir(join(directory, 'blobs', 'files'), { recursive: true })
    for (const { id } of ids) {
      const to = join(directory, 'blobs', 'files', id)
      if (await linkParts(join(blobs, 'files', id), to)) continue
      gone.push(id)
      await rm(to, { recursive: true })
    }
    pruneSnapshot(snapshot, gone)
    return ids.length - gone.length
  } finally {
    snapshot.close()
  }
}

/**
 * Writes a backup of a data directory, also while the service runs on it. The file is whole or absent, and readable by
 * its owner alone: it holds what customers sent.
 * @throws StartError where the file exists or cannot be written
 */
export async function backup(dataDir: string, file: string): Promise<{ file: string; files: number; bytes: number }> {
  const target = resolve(file)
  if (await stat(target).catch(() => null)) throw new StartError(`${file} exists already. Name another file.`)
  // Beside the data, since a second name of a file must be on the same disk.
  const directory = await mkdtemp(join(dataDir, 'backup-'))
  const part = `${target}.part`
  try {
    const files = await snapshotInto(directory, dataDir)
    const opened = await open(part, 'w', 0o600).catch((cause: unknown) => {
      throw new StartError(`${file} cannot be written: ${reasonOf(cause)}.`, { cause })
    })
    await opened.close()
    await runTar(['-cf', part, '-C', directory, 'parley.db', 'blobs'])
    const written = await open(part, 'r+')
    await written.sync()
    const { size } = await written.stat()
    await written.close()
    await rename(part, target)
    return { file: target, files, bytes: size }
  } finally {
    await rm(part, { force: true })
    await rm(directory, { recursive: true, force: true })
  }
}

import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { isBusy } from './db/node-sqlite-dialect.ts'
import { explainError, StartError } from './start-error.ts'

/** The paths in a data directory. */
export function dataPaths(dataDir: string) {
  return {
    database: join(dataDir, 'parley.db'),
    /** the index of all words, rebuilt if missing or damaged */
    searchIndex: join(dataDir, 'search.db'),
    lock: join(dataDir, 'server.lock'),
    /** the address of the server that holds the lock */
    address: join(dataDir, 'server.address'),
    /** held by `backup` and `restore` while they run */
    commandLock: join(dataDir, 'command.lock'),
    /** reserved space for deletions on a full disk */
    reserve: join(dataDir, 'reserve'),
    blobs: join(dataDir, 'blobs'),
    /** incomplete files */
    staging: join(dataDir, 'blobs', 'staging'),
    /** the same on this machine if blobs are in a bucket; `SCRATCH_DIR` overrides it */
    scratch: join(dataDir, 'scratch'),
    /** on the blobs' file system, so that a complete upload is moved there, not copied */
    uploads: join(dataDir, 'uploads'),
    /** when the last backup was made */
    lastBackup: join(dataDir, 'last-backup.json'),
    /** what `model measure` found of each engine */
    measurements: join(dataDir, 'measurements.json'),
    /** what the operator wrote for customers: privacy, terms … */
    pages: join(dataDir, 'pages'),
  }
}

/** The directory for a process's temporary files: next to the blobs, or if they are in a bucket, on its machine. */
export function findScratchDir({ dataDir, s3, scratchDir }: Config): string {
  const { staging, scratch } = dataPaths(dataDir)
  return s3 === null ? staging : (scratchDir ?? scratch)
}

/** An operating-system lock on an SQLite file, so that it is released however the process ends. */
function lockFile(path: string): () => void {
  const lock = new DatabaseSync(path)
  lock.exec('pragma journal_mode = memory; begin exclusive')
  return () => lock.close()
}

/**
 * Creates the data directory and locks it against other servers (decision 17).
 * @returns a function that releases the lock
 * @throws StartError if another server holds the lock, or the directory cannot be written
 */
export function lockDataDirectory(dataDir: string): () => void {
  try {
    makeDirectories(dataDir)
    // SQLite opens a lock that is there for reading alone.
    accessSync(dataDir, constants.W_OK)
    return lockFile(dataPaths(dataDir).lock)
  } catch (error) {
    if (isBusy(error)) throw new StartError(`Another server is using the data directory ${dataDir}.`, { cause: error })
    if (error instanceof StartError) throw error
    const words = `The data directory ${dataDir} cannot be used: ${explainError(error)}.${explainPlace(dataDir)}`
    throw new StartError(words, { cause: error })
  }
}

/** Whether a service runs on a data directory. */
export function isServing(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false
  try {
    lockDataDirectory(dataDir)()
    return false
  } catch {
    return true
  }
}

/** What systemd's unit needs for a directory that is not the package's; '' if it may be written. */
function explainPlace(dataDir: string): string {
  try {
    accessSync(dataDir, constants.W_OK)
    return ''
  } catch {
    return ` It may not be written here. The unit needs ReadWritePaths=${dataDir}, and its user the directory: see "Data on another disk" in docs/operating.md.`
  }
}

/** As `mkdir` with `recursive`, which never returns for a path in /proc (Node 24). @throws StartError if it is a file */
function makeDirectories(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found !== undefined) throw new StartError(`${path} is a file, not a directory.`)
  if (dirname(path) !== path) makeDirectories(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/**
 * Locks a data directory against other backups and restores. @returns a function that releases the lock; null: one is
 * running
 */
export function tryLockCommands(dataDir: string): (() => void) | null {
  try {
    return lockFile(dataPaths(dataDir).commandLock)
  } catch (error) {
    if (isBusy(error)) return null
    throw error
  }
}

/** Removes other users' permissions from an existing data directory; logs loudly if it cannot. */
export function makePrivate(dataDir: string, log: Logger): void {
  const rights = () => statSync(dataDir).mode & 0o777
  const before = rights().toString(8)
  if ((rights() & 0o077) === 0) return
  try {
    chmodSync(dataDir, 0o700)
  } catch {
    // Not ours to change; later steps report it.
  }
  if ((rights() & 0o077) === 0) {
    log.warn({ before }, 'other users could access the data directory; its permissions are now 700')
  } else {
    log.error(
      { rights: before },
      'OTHER USERS OF THIS MACHINE CAN ACCESS THE DATA DIRECTORY: set its permissions to 700',
    )
  }
}

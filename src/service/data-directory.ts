import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './db/node-sqlite-dialect.ts'
import { reasonOf, StartError } from './start-error.ts'

/** Where everything is in a data directory. */
export function dataPaths(dataDir: string) {
  return {
    database: join(dataDir, 'parley.db'),
    lock: join(dataDir, 'server.lock'),
    blobs: join(dataDir, 'blobs'),
    /** on the blobs' file system, so that a complete upload is moved there, not copied */
    uploads: join(dataDir, 'uploads'),
  }
}

/**
 * Creates the data directory and locks it against other servers (decision 17). The lock is the operating system's own,
 * on an SQLite file, so that it is released however the process ends.
 * @returns what releases the lock
 * @throws StartError where another server holds the lock, or the directory cannot be written
 */
export function lockDataDirectory(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const lock = new DatabaseSync(dataPaths(dataDir).lock)
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return () => lock.close()
  } catch (error) {
    if (isBusy(error)) throw new StartError(`Another server is using the data directory ${dataDir}.`, { cause: error })
    throw new StartError(`The data directory ${dataDir} cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
}

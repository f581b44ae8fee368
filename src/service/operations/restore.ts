import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dataPaths, lockDataDirectory, tryLockCommands } from '../platform/data-directory.ts'
import { iso } from '../platform/iso-time.ts'
import type { Platform } from '../platform/platform.ts'
import { StartError } from '../platform/start-error.ts'
import { runTar } from './backup.ts'
import { checkBackup, manifestName } from './check-backup.ts'

/*
 * A restore resets the database and all recordings to a backup. The backup is unpacked next to the data, checked, and
 * moved to `restore-ready`. The next process to open the data applies it: this command if no service runs, else the
 * running service, which finishes its requests and restarts within a second or two. The previous data is moved to
 * `before-restore-…`, until an operator removes it.
 */

const readyName = 'restore-ready'
const waitMs = 60_000

/** True if a checked backup waits to be applied. */
export function isRestoreReady(dataDir: string): boolean {
  return existsSync(join(dataDir, readyName))
}

/**
 * Applies a waiting backup, if any. Call it holding the lock of the data directory, before anything is opened. After an
 * interruption the next call continues: anything still in `restore-ready` has not been applied yet.
 */
export function applyRestore(dataDir: string, now: number): void {
  const ready = join(dataDir, readyName)
  if (!existsSync(ready)) return
  const aside = join(dataDir, `before-restore-${iso(now).replaceAll(/[:.]/g, '-')}`)
  mkdirSync(aside, { recursive: true })
  const { database, blobs } = dataPaths(dataDir)
  const moveAside = (path: string, name: string) => {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, join(aside, name))
  }
  if (readdirSync(ready).includes('blobs')) {
    moveAside(blobs, 'blobs')
    renameSync(join(ready, 'blobs'), blobs)
  }
  if (readdirSync(ready).includes('parley.db')) {
    for (const suffix of ['-wal', '-shm', '']) moveAside(database + suffix, `parley.db${suffix}`)
    renameSync(join(ready, 'parley.db'), database)
  }
  rmdirSync(ready)
}

/** Applies the backup if no service runs. @returns false if one does */
function applyHere(dataDir: string): boolean {
  try {
    const unlock = lockDataDirectory(dataDir)
    applyRestore(dataDir, Date.now())
    unlock()
    return true
  } catch (error) {
    if (error instanceof StartError) return false
    throw error
  }
}

/**
 * Unpacks a backup into a temporary directory inside the data directory, removed after `work`.
 * @param work gets the checked directory, and how many files it has
 * @throws StartError if the file is not a backup or is damaged
 */
export async function withBackup<Result>(
  dataDir: string,
  file: string,
  work: (unpacked: string, files: number) => Promise<Result>,
): Promise<Result> {
  if (!(await stat(file).catch(() => null))?.isFile()) throw new StartError(`There is no file ${file}.`)
  const unpacked = join(dataDir, `restore-${process.pid}`)
  await mkdir(unpacked, { recursive: true, mode: 0o700 })
  try {
    await runTar(['-xf', file, '-C', unpacked, '--no-same-owner', '--no-same-permissions'])
    return await work(unpacked, await checkBackup(unpacked))
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

/**
 * Restores a backup, also while the service runs.
 * @throws StartError if the file is not a backup or is damaged: then nothing is changed; or if a running service did
 * not apply it within a minute
 */
export function restore(dataDir: string, file: string): Promise<{ restored: true; files: number }> {
  return withBackup(dataDir, file, async (unpacked, files) => {
    await rm(join(unpacked, manifestName), { force: true })
    if (isRestoreReady(dataDir)) throw new StartError('Another restore is running.')
    await rename(unpacked, join(dataDir, readyName))
    // Tried only once: later, taking the lock could stop the very service that should apply it.
    const isApplied = applyHere(dataDir)
    for (let waitedMs = 0; !isApplied && isRestoreReady(dataDir); waitedMs += 200) {
      if (waitedMs >= waitMs) throw new StartError('The running service did not load the backup. Restart it.')
      await wait(200)
    }
    return { restored: true, files }
  })
}

/** Working directories of `backup` and `restore`, next to the data. */
const workName = /^(backup-\w+|restore-\d+)$/

/** Removes remains of a killed backup or restore, which contain recordings. The caller holds their lock. */
export async function removeWork(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  for (const name of await readdir(dataDir)) {
    if (workName.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** The same while commands may be running: whatever they need stays. */
export async function removeLeftWork({ config }: Pick<Platform, 'config'>): Promise<void> {
  const unlock = tryLockCommands(config.dataDir)
  if (unlock === null) return
  try {
    await removeWork(config.dataDir)
  } finally {
    unlock()
  }
}

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { dataPaths, lockDataDirectory, tryLockCommands } from '../platform/data-directory.ts'
import { openDb } from '../platform/db/open.ts'
import { FullDiskError } from '../platform/full-disk.ts'
import { iso } from '../platform/iso-time.ts'
import type { Platform } from '../platform/platform.ts'
import { explainError, StartError } from '../platform/start-error.ts'
import { runTar } from './backup.ts'
import { type CarryReport, carryOver, revokeAllKeys } from './carry-over.ts'
import { checkBackup, manifestName } from './check-backup.ts'
import { unpackSnapshot } from './repository.ts'

/*
 * A restore resets the database and all recordings to a backup. The backup is unpacked next to the data, checked, and
 * moved to `restore-ready`. The next process to open the data applies it: this command if no service runs, else the
 * running service, which finishes its requests and restarts within a second or two. First it carries over what must not
 * be undone (`carry-over.ts`). The previous data is moved to `before-restore-…`, until an operator removes it.
 */

const readyName = 'restore-ready'
const waitMs = 60_000

/** In `restore-ready` until the carrying over is done. */
const planName = 'plan.json'
/** One line per restore, also for later ones: which files it lost, which are therefore not deleted ones. */
const historyName = 'restores.jsonl'

/** What the operator agreed to lose, and whether no key of the backup shall work. */
export type Consent = { lose: number; revokeAllKeys: boolean }
type HistoryLine = CarryReport & { at: string; refused?: string }

function readHistory(dataDir: string): HistoryLine[] {
  const path = join(dataDir, historyName)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as HistoryLine)
}

function carry(dataDir: string, database: string, mode: 'write' | 'try'): CarryReport {
  const lostBefore = readHistory(dataDir).flatMap(({ lostFiles, refused }) => (refused === undefined ? lostFiles : []))
  return carryOver(database, dataPaths(dataDir).database, lostBefore, mode)
}

const inWords = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ') || 'nothing'

/** @returns how many rows a restore loses, and the words for an operator who has not agreed to that number */
function describeLoss({ source, lost, carried, lostFiles }: CarryReport): { all: number; words: string } {
  const all = Object.values(lost).reduce((sum, each) => sum + each, 0)
  const ids = lostFiles.slice(0, 20).join(' ') + (lostFiles.length > 20 ? ' …' : '')
  const of = source === 'other' ? 'The present data is of another installation. ' : ''
  const words = `${of}The restore would lose what is not in the backup: ${inWords(lost)}.${ids && ` Orders: ${ids}.`}
It would carry over: ${inWords(carried)}. Nothing was changed. To go ahead, repeat it with --lose ${all}.`
  return { all, words }
}

/** Carries over into the waiting backup. @returns false if that would lose more than agreed: it no longer waits then */
function carryIntoReady(dataDir: string, ready: string, at: string): boolean {
  const plan = join(ready, planName)
  if (!existsSync(plan)) return true
  const consent = JSON.parse(readFileSync(plan, 'utf8')) as Consent
  const database = join(ready, 'parley.db')
  const { all, words } = describeLoss(carry(dataDir, database, 'try'))
  const isRefused = all > consent.lose // the service went on since the operator agreed
  const report = carry(dataDir, database, isRefused ? 'try' : 'write')
  const line: HistoryLine = { at, ...report, ...(isRefused && { refused: words }) }
  appendFileSync(join(dataDir, historyName), `${JSON.stringify(line)}\n`)
  if (isRefused) {
    renameSync(ready, join(dataDir, 'restore-0')) // `removeWork` removes it
    return false
  }
  const opened = new DatabaseSync(database)
  if (consent.revokeAllKeys) for (const statement of revokeAllKeys(Date.now())) opened.exec(statement)
  const deleted = opened.prepare('select id from files where recording_deleted_at is not null').all()
  opened.close()
  for (const { id } of deleted) {
    for (const part of ['media', 'listen', 'peaks'])
      rmSync(join(ready, 'blobs/files', String(id), part), { force: true })
  }
  rmSync(plan)
  return true
}

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
  if (!existsSync(ready) || !carryIntoReady(dataDir, ready, iso(now))) return
  const aside = join(dataDir, `before-restore-${iso(now).replaceAll(/[:.]/g, '-')}`)
  mkdirSync(aside, { recursive: true })
  const { database, blobs, pages } = dataPaths(dataDir)
  // Those that are there stay: they say what the operator does today.
  const hasPages = existsSync(pages) && readdirSync(pages).length > 0
  if (hasPages) rmSync(join(ready, 'pages'), { recursive: true, force: true })
  else if (existsSync(join(ready, 'pages'))) renameSync(join(ready, 'pages'), pages)
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

async function unpackTar(file: string, unpacked: string): Promise<void> {
  await runTar(['-xf', file, '-C', unpacked, '--no-same-owner', '--no-same-permissions'], dirname(unpacked)).catch(
    (error: unknown) => {
      if (error instanceof FullDiskError) throw error
      const words = `${file} is no whole backup; nothing was changed. (${explainError(error)})`
      throw new StartError(words, { cause: error })
    },
  )
}

/**
 * Unpacks a backup into a temporary directory inside the data directory, removed after `work`.
 * @param file a tar; with `snapshot`, a repository
 * @param work gets the checked directory, and how many files it has
 * @param snapshot of the repository
 * @throws StartError if the file is not a backup or is damaged
 */
export async function withBackup<Result>(
  dataDir: string,
  file: string,
  work: (unpacked: string, files: number) => Promise<Result>,
  snapshot: string | null = null,
): Promise<Result> {
  const isFile = snapshot !== null || (await stat(file).catch(() => null))?.isFile() === true
  if (!isFile) throw new StartError(`There is no file ${file}.`)
  const unpacked = join(dataDir, `restore-${process.pid}`)
  await mkdir(unpacked, { recursive: true, mode: 0o700 })
  try {
    if (snapshot !== null) await unpackSnapshot(file, snapshot, unpacked)
    else await unpackTar(file, unpacked)
    return await work(unpacked, await checkBackup(unpacked))
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

const keysAgain: Readonly<Record<CarryReport['source'], string>> = {
  replaced: '',
  none: 'There was no database here',
  other: 'The database that was here is of another installation',
  unreadable: 'THE DATABASE THAT WAS HERE CANNOT BE READ',
}

/** The outcome of a restore, as it is printed. `warning`: what could not be carried over, and what to do. */
type Restored = { restored: true; files: number; warning?: string } & Pick<CarryReport, 'carried' | 'lost'>

/** @returns the sentence for operators where nothing could be carried over; '' otherwise */
export function warnOfKeys(source: CarryReport['source'], areRevoked: boolean): string {
  if (source === 'replaced' || areRevoked) return ''
  return `${keysAgain[source]}: KEYS THAT WERE REVOKED SINCE THE BACKUP WORK AGAIN, and what was deleted since is back. \
Restore with --revoke-all-keys, or revoke them: parley key revoke KEY, parley staff revoke ID.`
}

/**
 * Restores a backup, also while the service runs.
 * @throws StartError if the file is not a backup or is damaged, or would lose something else than `lose` names: then
 * nothing is changed; or if a running service did not apply it within a minute
 */
export function restore(
  dataDir: string,
  file: string,
  consent: Consent,
  snapshot: string | null = null,
): Promise<Restored> {
  const swapIn = async (unpacked: string, files: number): Promise<Restored> => {
    const database = join(unpacked, 'parley.db')
    await (await openDb(database)).destroy() // migrates it
    const { all, words } = describeLoss(carry(dataDir, database, 'try'))
    if (all !== consent.lose) throw new StartError(words)
    await rm(join(unpacked, manifestName), { force: true })
    await writeFile(join(unpacked, planName), JSON.stringify(consent))
    if (isRestoreReady(dataDir)) throw new StartError('Another restore is running.')
    await rename(unpacked, join(dataDir, readyName))
    // Tried only once: later, taking the lock could stop the very service that should apply it.
    const isApplied = applyHere(dataDir)
    for (let waitedMs = 0; !isApplied && isRestoreReady(dataDir); waitedMs += 200) {
      if (waitedMs >= waitMs) throw new StartError('The running service did not load the backup. Restart it.')
      await wait(200)
    }
    const { source, carried, lost, refused } = readHistory(dataDir).at(-1) as HistoryLine
    if (refused !== undefined) throw new StartError(refused)
    const warning = warnOfKeys(source, consent.revokeAllKeys)
    return {
      restored: true,
      files: files - (carried['files deleted'] ?? 0),
      carried,
      lost,
      ...(warning && { warning }),
    }
  }
  return withBackup(dataDir, file, swapIn, snapshot)
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

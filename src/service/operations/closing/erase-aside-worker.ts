import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { eraseStatements } from './erase-statements.ts'

/*
 * The thread that erases an account from what earlier restores moved aside: thousands of files, and whole databases that
 * are rewritten. It answers with the names of the directories.
 */

export type AsideRequest = { dataDir: string; accountId: string }

/** Runs a statement, unless the database lacks its table or its column. */
function runIfThere(database: DatabaseSync, statement: string): void {
  try {
    database.exec(statement)
  } catch (error) {
    if (!/^no such (table|column)/.test((error as Error).message)) throw error
  }
}

function eraseIn(folder: string, accountId: string): void {
  const database = new DatabaseSync(join(folder, 'parley.db'))
  try {
    database.exec('pragma secure_delete = on')
    const named = database.prepare('select name from sqlite_master').all()
    const tables = new Set(named.map((row) => String(row.name)))
    // Of exports, too: all transcripts are in one. It may be a version behind, without the newest tables.
    for (const table of ['files', 'exports'].filter((name) => tables.has(name))) {
      for (const { id } of database.prepare(`select id from ${table} where account_id = ?`).all(accountId)) {
        rmSync(join(folder, 'blobs/files', String(id)), { recursive: true, force: true })
      }
    }
    for (const statement of eraseStatements(accountId)) runIfThere(database, statement)
    database.exec('vacuum; pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

const { dataDir, accountId } = workerData as AsideRequest
const asides = readdirSync(dataDir).filter((name) => name.startsWith('before-restore-'))
const names = asides.filter((name) => existsSync(join(dataDir, name, 'parley.db')))
for (const name of names) eraseIn(join(dataDir, name), accountId)
parentPort?.postMessage(names)

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths } from '../../data-directory.ts'
import { isAbsent } from '../../media/file-errors.ts'
import { reasonOf, StartError } from '../../start-error.ts'
import type { Db, Trx } from '../open.ts'
import { transactAlone } from '../write-account.ts'

const secretName = 'recordings'
const fileName = 'recordings-of'

/**
 * Nodes that share a database must share the directory of the recordings: a mark in it must equal the one in the database.
 * The first node makes both, where the directory holds no recordings: without their rows they would be removed one day.
 * @throws StartError where the directory is another one, or holds recordings of another database
 */
export async function requireRecordings(db: Db, dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    // Of several nodes that start at once, the first one makes the mark before the next one looks.
    await transactAlone(db, fileName, (trx) => compareMarks(trx, dataDir))
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The data directory ${dataDir} cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
}

async function compareMarks(trx: Trx, dataDir: string): Promise<void> {
  const path = join(dataDir, fileName)
  const own = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  const known = await trx.selectFrom('secrets').select('value').where('name', '=', secretName).executeTakeFirst()
  if (known !== undefined && known.value !== own) {
    throw new StartError(`The recordings of this database are not in ${dataDir}. All nodes need the same directory.`)
  }
  if (known !== undefined) return
  if (await hasRecordings(dataDir)) {
    throw new StartError(`${dataDir} has recordings that this database does not know. Give it a directory of its own.`)
  }
  const value = own ?? randomUUID()
  await trx.insertInto('secrets').values({ name: secretName, value }).execute()
  if (own === null) await writeFile(path, value, { mode: 0o600 })
}

async function hasRecordings(dataDir: string): Promise<boolean> {
  try {
    return (await readdir(join(dataPaths(dataDir).blobs, 'files'))).length > 0
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

import { randomUUID } from 'node:crypto'
import type { RecordingsPlace } from '../../media/blob-store.ts'
import { explainError, StartError } from '../../start-error.ts'
import type { Db, Trx } from '../open.ts'
import { transactAlone } from '../write-account.ts'

/** The secret that identifies a database's recordings. */
export const recordingsSecret = 'recordings'

/** The mark of its recordings' storage; null before the first start. */
export async function queryMark(db: Db): Promise<string | null> {
  const known = await db.selectFrom('secrets').select('value').where('name', '=', recordingsSecret).executeTakeFirst()
  return known?.value ?? null
}

/**
 * Nodes that share a database must share the storage of the recordings: a mark in it must equal the one in the
 * database. The first node creates both, if the storage has no recordings: without rows they would be removed one day.
 * @throws StartError if the storage is another one, or holds recordings of another database
 */
export async function requireRecordings(db: Db, place: RecordingsPlace): Promise<void> {
  try {
    // If several nodes start at once, the first creates the mark before the next one looks.
    await transactAlone(db, 'recordings-of', (trx) => compareMarks(trx, place))
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${place.name} cannot be used for recordings: ${explainError(error)}.`, { cause: error })
  }
}

async function compareMarks(trx: Trx, { name, ...place }: RecordingsPlace): Promise<void> {
  const own = await place.readMark()
  const known = await queryMark(trx)
  if (known !== null && known !== own) {
    throw new StartError(`The recordings of this database are not in ${name}. All nodes need the same place.`)
  }
  if (known !== null) return
  if (own !== null || (await place.hasRecordings())) {
    const whose = 'is of another database, or has recordings that this database does not know'
    throw new StartError(`${name} ${whose}. Give it a place of its own.`)
  }
  const value = randomUUID()
  await trx.insertInto('secrets').values({ name: recordingsSecret, value }).execute()
  await place.writeMark(value)
}

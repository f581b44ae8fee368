import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Operation } from './operation.ts'
import type { Conflict, CorrectionSet } from './reapply.ts'

/** Names one transcript on this device: environment, account and file. */
export type DocumentKey = readonly [environment: string, account: string, file: string]

/** The corrections of one transcript as they stand. `revision` grows with every write, in whichever tab. */
export type CorrectionDocument = CorrectionSet & {
  revision: number
  /** how many of the kept operations are in effect; those after it can be redone */
  cursor: number
  operations: number
  /** corrections that a newer version has no place for and nobody has decided on yet */
  conflicts: readonly Conflict[]
  /** milliseconds since 1970 */
  savedAt: number
}

/** Corrections as they were at some time, to come back to. */
export type KeptVersion = CorrectionSet & { keptAt: number; label: string }

interface Schema extends DBSchema {
  documents: { key: string; value: CorrectionDocument }
  operations: { key: [document: string, place: number]; value: Operation }
  versions: { key: number; value: KeptVersion & { document: string }; indexes: { document: string } }
}

let database: Promise<IDBPDatabase<Schema>> | null = null

function open(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>('parley-corrections', 1, {
    upgrade(made) {
      made.createObjectStore('documents')
      made.createObjectStore('operations')
      made.createObjectStore('versions', { autoIncrement: true }).createIndex('document', 'document')
    },
    terminated: () => {
      database = null
    },
  })
  return database
}

const keyOf = (key: DocumentKey): string => JSON.stringify(key)

/** Another tab wrote first: what is here is not the newest any more. */
export class StaleRevisionError extends Error {
  override readonly name = 'StaleRevisionError'
}

export async function readDocument(key: DocumentKey): Promise<CorrectionDocument | null> {
  return (await (await open()).get('documents', keyOf(key))) ?? null
}

/**
 * Writes the corrections as they stand now, with the operation that led here where there is a new one, in one
 * transaction.
 * @param expected the revision this was made from
 * @throws StaleRevisionError where another tab has written meanwhile; nothing is written then
 */
export async function writeDocument(
  key: DocumentKey,
  expected: number,
  document: CorrectionDocument,
  operation: Operation | null,
): Promise<void> {
  const db = await open()
  const transaction = db.transaction(['documents', 'operations'], 'readwrite')
  const name = keyOf(key)
  const current = await transaction.objectStore('documents').get(name)
  if ((current?.revision ?? 0) !== expected) {
    transaction.abort()
    await transaction.done.catch(() => {})
    throw new StaleRevisionError('Another tab has saved corrections of this transcript.')
  }
  const operations = transaction.objectStore('operations')
  const kept = current?.operations ?? 0
  if (document.operations < kept) {
    await operations.delete(IDBKeyRange.bound([name, document.operations], [name, kept]))
  }
  if (operation !== null) {
    await operations.delete(IDBKeyRange.bound([name, document.cursor - 1], [name, kept]))
    await operations.put(operation, [name, document.cursor - 1])
  }
  await transaction.objectStore('documents').put(document, name)
  await transaction.done
}

/** The operation at a place of the history, 0 the oldest. */
export async function readOperation(key: DocumentKey, place: number): Promise<Operation | null> {
  return (await (await open()).get('operations', [keyOf(key), place])) ?? null
}

/** Keeps a version to come back to. */
export async function keepVersion(key: DocumentKey, version: KeptVersion): Promise<void> {
  await (await open()).add('versions', { ...version, document: keyOf(key) })
}

/** The kept versions, the newest first. */
export async function readVersions(key: DocumentKey): Promise<KeptVersion[]> {
  return (await (await open()).getAllFromIndex('versions', 'document', keyOf(key))).reverse()
}

import type { DBSchema, IDBPDatabase } from 'idb'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { type DocumentKey, documentKey, openCorrectionDatabase } from '../../signed-in/library/correction-database.ts'
import type { Move } from './move-operation.ts'
import type { Operation } from './operation.ts'
import type { Conflict } from './reapply.ts'

/** The current corrections of one transcript. `revision` grows with every write, in whichever tab. */
export type CorrectionDocument = CorrectionSet & {
  revision: number
  /** how many of the stored operations are in effect; those after it can be redone */
  cursor: number
  /** how many operations are stored */
  operations: number
  /** corrections that do not fit a newer version and that nobody has decided on yet */
  conflicts: readonly Conflict[]
  /** milliseconds since 1970 */
  savedAt: number
}

/** What the service had when this device last heard of it. */
export type Synced = {
  revision: number
  set: CorrectionSet
  /** what the service has is of an older text: the next change replaces all of it, and `set` is empty */
  isOlder?: boolean
}

/** Earlier corrections, which can be restored. */
export type SavedVersion = CorrectionSet & { keptAt: number; label: string }

/** What is being typed and not saved yet, of a text with this fingerprint. */
export type Draft = Move & { fingerprint: string }

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft }
  documents: { key: string; value: CorrectionDocument }
  operations: { key: [document: string, place: number]; value: Operation }
  synced: { key: string; value: Synced }
  versions: { key: number; value: SavedVersion & { document: string }; indexes: { document: string } }
}

async function open(): Promise<IDBPDatabase<Schema>> {
  return (await openCorrectionDatabase()) as unknown as IDBPDatabase<Schema>
}

/** Another tab has written in the meantime: this tab's revision is not the newest. */
export class StaleRevisionError extends Error {
  override readonly name = 'StaleRevisionError'
}

/** The transcripts of an account that have corrections on this device. */
export async function documentsOf(environment: string, account: string): Promise<DocumentKey[]> {
  const keys = (await (await open()).getAllKeys('documents')).map((key) => JSON.parse(key) as DocumentKey)
  return keys.filter((key) => key[0] === environment && key[1] === account)
}

export async function readDocument(key: DocumentKey): Promise<CorrectionDocument | null> {
  return (await (await open()).get('documents', documentKey(key))) ?? null
}

/**
 * Writes the current corrections in one transaction, with the operation that led to them if there is a new one.
 * @param expected the revision that this one is based on
 * @param synced what the service has, where that is taken in with it
 * @throws StaleRevisionError if another tab has written in the meantime; then nothing is written
 */
export async function writeDocument(
  key: DocumentKey,
  expected: number,
  document: CorrectionDocument,
  operation: Operation | null,
  synced: Synced | null = null,
): Promise<void> {
  const db = await open()
  const transaction = db.transaction(['documents', 'operations', 'synced'], 'readwrite')
  const name = documentKey(key)
  const current = await transaction.objectStore('documents').get(name)
  if ((current?.revision ?? 0) !== expected) {
    transaction.abort()
    await transaction.done.catch(() => {})
    throw new StaleRevisionError('Another tab has saved corrections to this transcript.')
  }
  const operations = transaction.objectStore('operations')
  const stored = current?.operations ?? 0
  if (document.operations < stored) {
    await operations.delete(IDBKeyRange.bound([name, document.operations], [name, stored]))
  }
  if (operation !== null) {
    await operations.delete(IDBKeyRange.bound([name, document.cursor - 1], [name, stored]))
    await operations.put(operation, [name, document.cursor - 1])
  }
  if (synced !== null) await transaction.objectStore('synced').put(synced, name)
  await transaction.objectStore('documents').put(document, name)
  await transaction.done
}

/** What the service had when it was last heard of; null if it never was. */
export async function readSynced(key: DocumentKey): Promise<Synced | null> {
  return (await (await open()).get('synced', documentKey(key))) ?? null
}

export async function writeSynced(key: DocumentKey, synced: Synced): Promise<void> {
  await (await open()).put('synced', synced, documentKey(key))
}

/** The operation at an index of the history, 0 the oldest. */
export async function readOperation(key: DocumentKey, index: number): Promise<Operation | null> {
  return (await (await open()).get('operations', [documentKey(key), index])) ?? null
}

/** Stores a version that can be restored. */
export async function saveVersion(key: DocumentKey, version: SavedVersion): Promise<void> {
  await (await open()).add('versions', { ...version, document: documentKey(key) })
}

/** The stored versions, the newest first. */
export async function readVersions(key: DocumentKey): Promise<SavedVersion[]> {
  return (await (await open()).getAllFromIndex('versions', 'document', documentKey(key))).reverse()
}

export async function hasDraft(key: DocumentKey): Promise<boolean> {
  return (await (await open()).count('drafts', documentKey(key))) > 0
}

/** What was being typed when a page was closed or ended; null if nothing was. */
export async function readDraft(key: DocumentKey): Promise<Draft | null> {
  return (await (await open()).get('drafts', documentKey(key))) ?? null
}

/** Stores what is being typed, or, by null, that all of it is saved. */
export async function writeDraft(key: DocumentKey, draft: Draft | null): Promise<void> {
  const db = await open()
  if (draft === null) await db.delete('drafts', documentKey(key))
  else await db.put('drafts', draft, documentKey(key))
}

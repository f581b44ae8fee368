import type { DBSchema, IDBPDatabase } from 'idb'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { type DocumentKey, documentKey, openCorrectionDatabase } from '../../signed-in/library/correction-database.ts'
import type { Move } from './move-operation.ts'
import type { Operation } from './operation.ts'
import type { Conflict } from './reapply.ts'

/** The current corrections of one transcript. `revision` grows with every write, in any tab. */
export type CorrectionDocument = CorrectionSet & {
  revision: number
  /** number of stored operations in effect; those after it can be redone */
  cursor: number
  /** number of stored operations */
  operations: number
  /** unresolved conflicts with a newer version */
  conflicts: readonly Conflict[]
  /** milliseconds since 1970 */
  savedAt: number
}

/** The service's state as of the last sync. */
export type Synced = {
  revision: number
  set: CorrectionSet
  /** the service's corrections are for an older text: the next change replaces all of them, and `set` is empty */
  isOlder?: boolean
}

/** Earlier corrections, which can be restored. */
export type SavedVersion = CorrectionSet & { keptAt: number; label: string }

/** Unsaved typing, for a text with this fingerprint. */
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

/** Another tab has written in the meantime: this tab's revision is stale. */
export class StaleRevisionError extends Error {
  override readonly name = 'StaleRevisionError'
}

/** Lists the transcripts of an account that have corrections on this device. */
export async function listDocuments(environment: string, account: string): Promise<DocumentKey[]> {
  const keys = (await (await open()).getAllKeys('documents')).map((key) => JSON.parse(key) as DocumentKey)
  return keys.filter((key) => key[0] === environment && key[1] === account)
}

export async function readDocument(key: DocumentKey): Promise<CorrectionDocument | null> {
  return (await (await open()).get('documents', documentKey(key))) ?? null
}

/** Whether this device has corrections, or has undone some, that the service did not have at the last sync. */
export async function hasUnsent(key: DocumentKey): Promise<boolean> {
  const document = await readDocument(key)
  if (document === null) return false
  const service = (await readSynced(key))?.set ?? { names: document.baseNames, patches: [] }
  const [here, there] = [document, service].map(({ names, patches }) => JSON.stringify([names, patches]))
  return here !== there
}

/**
 * Writes the current corrections, and the new operation if there is one, in one transaction (optimistic locking).
 * @param expected the revision that this write is based on
 * @param synced the service's state, if it is merged in the same write
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

/** The service's state as of the last sync; null if there was none. */
export async function readSynced(key: DocumentKey): Promise<Synced | null> {
  return (await (await open()).get('synced', documentKey(key))) ?? null
}

export async function writeSynced(key: DocumentKey, synced: Synced): Promise<void> {
  await (await open()).put('synced', synced, documentKey(key))
}

/** The operation at an index of the history, 0 being the oldest. */
export async function readOperation(key: DocumentKey, index: number): Promise<Operation | null> {
  return (await (await open()).get('operations', [documentKey(key), index])) ?? null
}

/** Stores a version that can be restored. */
export async function saveVersion(key: DocumentKey, version: SavedVersion): Promise<void> {
  await (await open()).add('versions', { ...version, document: documentKey(key) })
}

/** The stored versions, newest first. */
export async function readVersions(key: DocumentKey): Promise<SavedVersion[]> {
  return (await (await open()).getAllFromIndex('versions', 'document', documentKey(key))).reverse()
}

export async function hasDraft(key: DocumentKey): Promise<boolean> {
  return (await (await open()).count('drafts', documentKey(key))) > 0
}

/** The unsaved typing of a page that was closed or crashed; null if there was none. */
export async function readDraft(key: DocumentKey): Promise<Draft | null> {
  return (await (await open()).get('drafts', documentKey(key))) ?? null
}

/** Stores unsaved typing; null clears it once everything is saved. */
export async function writeDraft(key: DocumentKey, draft: Draft | null): Promise<void> {
  const change = (await open()).transaction('drafts', 'readwrite')
  const written = draft === null ? change.store.delete(documentKey(key)) : change.store.put(draft, documentKey(key))
  // Without waiting for an answer: none comes to a page that is being left.
  change.commit()
  await Promise.all([written, change.done])
}

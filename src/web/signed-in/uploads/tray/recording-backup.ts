import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { uploadStorage } from '../uploads.ts'
import { recordingsDatabase } from '../uploads-wanted.ts'
import { addFilesToTray } from './add-to-tray.ts'
import type { Owner } from './upload.ts'

type RecordingRecord = { id: string; owner: Owner; name: string; type: string; recordedMs: number }
type Piece = { recording: string; index: number; sound: Blob }
type Schema = DBSchema & {
  recordings: { key: string; value: RecordingRecord }
  pieces: { key: [string, number]; value: Piece }
}

let opened: Promise<IDBPDatabase<Schema>> | null = null

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(recordingsDatabase, 2, {
    upgrade: (db) => {
      // Once attached recordings were in a database of the same name, which then had no stores for these.
      if (db.objectStoreNames.contains('recordings')) return
      db.createObjectStore('recordings', { keyPath: 'id' })
      db.createObjectStore('pieces', { keyPath: ['recording', 'index'] })
    },
  })
  return opened
}

const lockName = (id: string): string => `parley-recording-${id}`
const piecesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY])

/** File name with the extension of its container. */
export function recordingName(name: string, type: string): string {
  return `${name}.${type === 'audio/mp4' ? 'm4a' : 'webm'}`
}

/**
 * Stores a recording on this device piece by piece while it is made, so that neither a reload nor a crash loses it. Where
 * the browser offers no storage it stores nothing and does not complain: the recording continues.
 */
export class RecordingBackup {
  readonly #record: RecordingRecord
  readonly #end = Promise.withResolvers<void>()
  #writing: Promise<void> = Promise.resolve()
  #count = 0

  constructor(owner: Owner, type: string) {
    const { environment, account } = owner
    this.#record = { id: crypto.randomUUID(), owner: { environment, account }, name: '', type, recordedMs: 0 }
    // Held as long as this tab records: a recording without a lock was left by a tab that ended.
    void navigator.locks?.request(lockName(this.#record.id), () => this.#end.promise)
  }

  /** Adds what was recorded since the last piece, under the name that the recording has by now. */
  add(sound: Blob, name: string, recordedMs: number): void {
    Object.assign(this.#record, { name, recordedMs })
    const [record, piece] = [{ ...this.#record }, { recording: this.#record.id, index: this.#count, sound }]
    this.#count += 1
    this.#writing = this.#writing.then(() => put(record, piece)).catch(() => undefined)
  }

  /** Deletes it: it is in the tray by now, or was thrown away. */
  async remove(): Promise<void> {
    await this.#writing
    await remove(this.#record.id).catch(() => undefined)
    this.#end.resolve()
  }
}

async function put(record: RecordingRecord, piece: Piece): Promise<void> {
  const transaction = (await database()).transaction(['recordings', 'pieces'], 'readwrite')
  void transaction.objectStore('recordings').put(record)
  void transaction.objectStore('pieces').put(piece)
  await transaction.done
}

async function remove(id: string): Promise<void> {
  const transaction = (await database()).transaction(['recordings', 'pieces'], 'readwrite')
  void transaction.objectStore('recordings').delete(id)
  void transaction.objectStore('pieces').delete(piecesOf(id))
  await transaction.done
}

/** Puts recordings into the tray whose tab ended while they were made. Does nothing if the browser has no storage. */
export async function restoreRecordings(): Promise<void> {
  if (navigator.locks === undefined || globalThis.indexedDB === undefined) return
  const records = await database()
    .then((db) => db.getAll('recordings'))
    .catch(() => [])
  for (const { id } of records) {
    await navigator.locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
      if (lock !== null) await restore(id)
    })
  }
}

async function restore(id: string): Promise<void> {
  const db = await database()
  const record = await db.get('recordings', id)
  if (record === undefined) return // another tab was first
  const { owner, name, type, recordedMs } = record
  const pieces = await db.getAll('pieces', piecesOf(id))
  const file = new File(
    pieces.map(({ sound }) => sound),
    recordingName(name, type),
    { type },
  )
  addFilesToTray(owner, [{ file, handle: null, recordedMs: Math.round(recordedMs) }])
  // From here on it is stored with its upload.
  await uploadStorage.save()
  await remove(id)
}

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
      // An older database of the same name held attached recordings and has no stores for these.
      if (db.objectStoreNames.contains('recordings')) return
      db.createObjectStore('recordings', { keyPath: 'id' })
      db.createObjectStore('pieces', { keyPath: ['recording', 'index'] })
    },
  })
  return opened
}

const lockName = (id: string): string => `parley-recording-${id}`
const pieceRange = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY])

/** File name with the extension of its container. */
export function recordingName(name: string, type: string): string {
  return `${name}.${type === 'audio/mp4' ? 'm4a' : 'webm'}`
}

/**
 * Stores a recording on this device in pieces while it is made, so that neither a reload nor a crash loses it. If the
 * browser offers no storage it silently stores nothing, and the recording continues.
 */
export class RecordingBackup {
  readonly #record: RecordingRecord
  readonly #end = Promise.withResolvers<void>()
  #writing: Promise<void> = Promise.resolve()
  #count = 0

  constructor(owner: Owner, type: string) {
    const { environment, account } = owner
    this.#record = { id: crypto.randomUUID(), owner: { environment, account }, name: '', type, recordedMs: 0 }
    // Held as long as this tab records: a recording without a lock belongs to a tab that ended.
    void navigator.locks?.request(lockName(this.#record.id), () => this.#end.promise)
  }

  /** Appends the sound since the last piece, under the recording's current name. */
  add(sound: Blob, name: string, recordedMs: number): void {
    Object.assign(this.#record, { name, recordedMs })
    const [record, piece] = [{ ...this.#record }, { recording: this.#record.id, index: this.#count, sound }]
    this.#count += 1
    this.#writing = this.#writing.then(() => put(record, piece)).catch(() => undefined)
  }

  /** Deletes it: it is now in the tray, or was discarded. */
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
  void transaction.objectStore('pieces').delete(pieceRange(id))
  await transaction.done
}

/** Moves unfinished recordings of closed tabs into the tray. Does nothing if the browser has no storage. */
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
  const pieces = await db.getAll('pieces', pieceRange(id))
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

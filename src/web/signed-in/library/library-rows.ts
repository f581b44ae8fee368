import type { FileId } from '../../../contract/interface/metadata.ts'
import { type FileRecord, withMetadata } from '../../base/api/metadata-reader.ts'

/** One file as the page knows it: unread (neither), read, or with a problem that prevents reading it. */
export type FileRow = FileId & {
  record: FileRecord | null
  problem: string | null
  /** measured progress in percent per millisecond during this visit; null: not yet known */
  pace: number | null
  /** when progress was last seen to change, in milliseconds */
  movedAt: number
  /** when it was seen to become ready in this visit; null: not seen */
  readySeenAt: number | null
}

/** A record as now stored. */
export type StoredRecord = { record: FileRecord; becameReady: boolean }

/** The rows of the library by id. Row objects are immutable; a change replaces them. */
export class FileRows {
  #rows = new Map<string, FileRow>()
  #turn = 0

  get size(): number {
    return this.#rows.size
  }

  get(id: string): FileRow | null {
    return this.#rows.get(id) ?? null
  }

  isUnread(id: string): boolean {
    const row = this.get(id)
    return row !== null && row.record === null && row.problem === null
  }

  /** Whether any row is read, or failed to read. */
  get hasRead(): boolean {
    for (const { record, problem } of this.#rows.values()) if (record !== null || problem !== null) return true
    return false
  }

  /** All rows, in the service's order. */
  all(): FileRow[] {
    return [...this.#rows.values()]
  }

  /** Sets the list to exactly these ids, in this order; keeps what is known of them. */
  list(ids: readonly string[]): void {
    this.#rows = new Map(ids.map((id) => [id, this.#rows.get(id) ?? unread(id)]))
  }

  /** Puts these ids first, in this order, followed by the existing ones. */
  lead(ids: readonly string[]): void {
    this.list([...new Set([...ids, ...this.#rows.keys()])])
  }

  /** Appends these ids to the existing ones. */
  follow(ids: readonly string[]): void {
    this.list([...new Set([...this.#rows.keys(), ...ids])])
  }

  /** Keeps only these rows, those of ids not known to be gone. */
  keepOnly(ids: readonly string[]): void {
    const present = new Set(ids)
    this.drop([...this.#rows.keys()].filter((id) => !present.has(id)))
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.#rows.delete(id)
  }

  /** Stores rows cached on this device: fills unread rows, never overwrites rows already read. */
  putCached(records: readonly FileRecord[]): void {
    for (const record of records) {
      const row = this.#rows.get(record.id)
      if (row && row.record === null) this.#rows.set(record.id, { ...row, record })
    }
  }

  /** Stores freshly read records. @returns the stored ones; records older than the existing row are skipped */
  put(records: readonly FileRecord[]): StoredRecord[] {
    const stored: StoredRecord[] = []
    for (const record of records) {
      const row = this.#rows.get(record.id) ?? unread(record.id)
      // A page and an event may race; versions only grow.
      if (row.record && record.version > 0 && row.record.version > record.version) continue
      // A HEAD response, which has no version, contains only metadata.
      const merged = row.record && record.version === 0 ? withMetadata(row.record, record.metadata) : record
      const next = row.record ? moved(row, merged) : { ...row, record, problem: null }
      this.#rows.set(record.id, next)
      stored.push({ record: next.record ?? record, becameReady: next.readySeenAt !== row.readySeenAt })
    }
    return stored
  }

  /** Marks a row as unreadable; keeps what was read of it before. */
  setProblem(id: string, problem: string): void {
    const row = this.#rows.get(id) ?? unread(id)
    if (row.record === null) this.#rows.set(id, { ...row, problem })
  }

  /** At most `limit` ids of files that are read and not ready, rotating from call to call. */
  unfinished(limit: number): string[] {
    const ids = this.all().flatMap(({ id, record }) => (record && record.percent < 100 ? [id] : []))
    const from = this.#turn % Math.max(1, ids.length)
    this.#turn = from + limit
    return [...ids.slice(from), ...ids.slice(0, from)].slice(0, limit)
  }
}

function unread(id: string): FileRow {
  return { id, record: null, problem: null, pace: null, movedAt: 0, readySeenAt: null }
}

/** The row after its progress was read again: its pace, and whether it has just become ready. */
function moved(row: FileRow, record: FileRecord, now: number = Date.now()): FileRow {
  const gain = record.percent - (row.record?.percent ?? record.percent)
  if (!(gain > 0)) return { ...row, record, problem: null }
  const pace = row.movedAt > 0 && now > row.movedAt ? gain / (now - row.movedAt) : null
  return {
    ...row,
    record,
    problem: null,
    movedAt: now,
    // Averages with the previous measurement: smooth, yet quick to follow.
    pace: pace === null ? row.pace : row.pace === null ? pace : (row.pace + pace) / 2,
    readySeenAt: record.percent === 100 ? now : row.readySeenAt,
  }
}

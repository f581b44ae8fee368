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

/** What a source read: records, and why some rows could not be read. */
export type ReadRows = { records: FileRecord[]; problems: { id: string; message: string }[] }

/** The content of this device's cache. */
export type Cached = { records: FileRecord[]; order: string[]; version: number | null; savedAt: number }

/** All files of an account, the data of the list's query. Immutable, rows included; a change replaces it. */
export type FileList = {
  /** in the service's order; in chunks, as each of thousands of events copies one */
  chunks: readonly (readonly FileRow[])[]
  /** the position of each id, over all chunks */
  positions: ReadonlyMap<string, number>
  /** the total number of files, even before all are known; null: not yet known */
  total: number | null
  /** all rows have been read once in this visit */
  complete: boolean
  /** when this device's cache was written, if rows come from it and are not confirmed yet */
  cachedAt: number | null
  /** names in locale order, sorted in the worker; may be incomplete, null: not yet known */
  names: readonly string[] | null
  /** from which to request changes; null: everything must be read, or the service has no versions */
  version: number | null
  /** uploads are about to add files, so a list without any is not known to be empty */
  awaited: boolean
  /** ids of files that were listed in this visit, and deleted since */
  deleted: ReadonlySet<string>
}

const chunkSize = 128

export const emptyList: FileList = {
  chunks: [],
  positions: new Map(),
  total: null,
  complete: false,
  cachedAt: null,
  names: null,
  version: null,
  awaited: false,
  deleted: new Set(),
}

/** The row of a file, or null if the list has no such file. */
export function findRow(list: FileList, id: string): FileRow | null {
  const position = list.positions.get(id) ?? -1
  return list.chunks[Math.floor(position / chunkSize)]?.[position % chunkSize] ?? null
}

/** All rows, in the service's order. */
export function allRows({ chunks }: FileList): FileRow[] {
  return chunks.flat()
}

/** Whether a row is read, or failed to read. */
export function isRead({ record, problem }: FileRow): boolean {
  return record !== null || problem !== null
}

/** Sets the list to exactly these ids, in this order; keeps what is known of them. */
export function arrangeRows(list: FileList, ids: Iterable<string>): FileList {
  const order = [...new Set(ids)]
  const rows = order.map((id) => findRow(list, id) ?? unread(id))
  const chunks = Array.from({ length: Math.ceil(rows.length / chunkSize) }, (_, chunk) =>
    rows.slice(chunk * chunkSize, (chunk + 1) * chunkSize),
  )
  return { ...list, chunks, positions: new Map(order.map((id, position) => [id, position])) }
}

export function dropRows(list: FileList, isGone: (id: string) => boolean): FileList {
  const ids = [...list.positions.keys()]
  const gone = ids.filter(isGone)
  if (gone.length === 0) return list
  const deleted = new Set([...list.deleted, ...gone])
  return {
    ...arrangeRows(
      list,
      ids.filter((id) => !isGone(id)),
    ),
    deleted,
  }
}

/** Adds this device's cache: fills unread rows, and what a HEAD response lacks; overwrites nothing that is newer. */
export function storeCached(list: FileList, { records, order, version, savedAt }: Cached): FileList {
  const arranged = arrangeRows(list, [...list.positions.keys(), ...order])
  const cached = new Map(records.map((record) => [record.id, record]))
  const fill = (row: FileRow) => ({ ...row, record: fuller(row.record, cached.get(row.id) ?? null) })
  return {
    ...arranged,
    chunks: arranged.chunks.map((rows) => rows.map(fill)),
    // Some caches have HEAD responses among their pages, as stored until November 2026: read everything again.
    version: records.some((record) => record.version === 0) ? null : version,
    cachedAt: savedAt,
    total: Math.max(list.total ?? 0, arranged.positions.size),
  }
}

/** The record of a page, if one of both is: a HEAD response, which has no version, has only its metadata. */
function fuller(read: FileRecord | null, other: FileRecord | null): FileRecord | null {
  if (read === null || other === null) return read ?? other
  return read.version === 0 ? withMetadata(other, read.metadata) : read
}

/** Stores freshly read rows; skips records older than the existing row, and keeps what was read of unreadable ones. */
export function storeRows(list: FileList, { records, problems }: ReadRows): FileList {
  const ids = [...records, ...problems].map(({ id }) => id)
  const isKnown = ids.every((id) => list.positions.has(id))
  const arranged = isKnown ? list : arrangeRows(list, [...list.positions.keys(), ...ids])
  const chunks = [...arranged.chunks]
  const copied = new Map<number, FileRow[]>()
  const change = (id: string, changed: (row: FileRow) => FileRow) => {
    const position = arranged.positions.get(id) ?? 0
    const chunk = Math.floor(position / chunkSize)
    const rows = copied.get(chunk) ?? [...(chunks[chunk] ?? [])]
    rows[position % chunkSize] = changed(rows[position % chunkSize] ?? unread(id))
    copied.set(chunk, rows)
    chunks[chunk] = rows
  }
  for (const record of records) change(record.id, (row) => storeRecord(row, record))
  for (const { id, message } of problems) change(id, (row) => (row.record ? row : { ...row, problem: message }))
  return { ...arranged, chunks }
}

/** Changes fields of a file that no response to HEAD has, if the file is known. */
export function amendRow(list: FileList, id: string, changed: Pick<FileRecord, 'captionRules'>): FileList {
  const amended = (row: FileRow) =>
    row.id === id && row.record !== null ? { ...row, record: { ...row.record, ...changed } } : row
  const chunk = Math.floor((list.positions.get(id) ?? -1) / chunkSize)
  return { ...list, chunks: list.chunks.map((rows, at) => (at === chunk ? rows.map(amended) : rows)) }
}

/** At most `limit` ids of files that are read and not ready, any of them first, so that calls take turns. */
export function unfinishedIds(list: FileList, limit: number, random: number = Math.random()): string[] {
  const ids = allRows(list).flatMap(({ id, record }) => (record && record.percent < 100 ? [id] : []))
  const from = Math.floor(random * ids.length)
  return [...ids.slice(from), ...ids.slice(0, from)].slice(0, limit)
}

function unread(id: string): FileRow {
  return { id, record: null, problem: null, pace: null, movedAt: 0, readySeenAt: null }
}

function storeRecord(row: FileRow, record: FileRecord): FileRow {
  if (row.record === null) return { ...row, record, problem: null }
  // A page and an event may race; versions only grow.
  if (record.version > 0 && row.record.version > record.version) return row
  return moveRow(row, record.version === 0 ? withMetadata(row.record, record.metadata) : record)
}

/** The row after its progress was read again: its pace, and whether it has just become ready. */
function moveRow(row: FileRow, record: FileRecord, now: number = Date.now()): FileRow {
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

import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { FileList, ReadRows } from './library-rows.ts'

/** What a source needs of the library. */
export type LibraryPort = {
  readonly session: Session
  readonly list: FileList
  readonly wanted: readonly string[]
  update: (change: (list: FileList) => FileList) => void
  store: (rows: ReadRows) => void
  read: (id: string, signal?: AbortSignal) => Promise<void>
  remove: (ids: readonly string[]) => void
  showFirst: () => void
  complete: (version: number | null, ids: readonly string[] | null) => void
}

/** How a service offers the metadata of an account's files: in pages (account interface), or by one HEAD each. */
export type FileSource = {
  /** Brings the list up to date, a part at a time. @throws ApiError */
  read: (library: LibraryPort, signal: AbortSignal) => Promise<void>
  /** Reads all that it knows of one file. @throws ApiError, MetadataError */
  readOne: (session: Session, id: string, signal?: AbortSignal) => Promise<FileRecord>
  /** minimum interval between renders until everything is read, in milliseconds */
  everyMs: number
  /** a new read may replace one in progress without repeating much */
  canRestart: boolean
}

import type { Session } from '../../base/api/client.ts'
import type { FileRecord, RecordSource } from '../../base/api/metadata-reader.ts'

/** Why reading stopped or a row could not be read, in a form that can be posted to and from the worker. */
export type Failure = { status: number; message: string; retryAfterMs: number | null }

/** A row that could not be read. */
export type RowProblem = { id: string; message: string }

export type ToWorker =
  /** first message: whose files, and whether the service offers metadata in pages */
  | { kind: 'open'; session: Session; pages: boolean }
  /** HEAD mode: all ids of the account, in the service's order; unread and unfinished files are read */
  | { kind: 'list'; ids: readonly string[] }
  /** HEAD mode: read these before all others */
  | { kind: 'first'; ids: readonly string[] }
  /** read these by HEAD, before all others, even if already known */
  | { kind: 'read'; ids: readonly string[] }
  /** read by the page itself, or received in an event: to be cached, not read again */
  | { kind: 'put'; sources: RecordSource[] }
  | { kind: 'remove'; ids: readonly string[] }
  /** read changes: by pages, or by the list of ids and whichever of them are unread */
  | { kind: 'changes' }
  /** cache what is not yet cached, and terminate */
  | { kind: 'close' }

export type FromWorker =
  /** the content of this device's cache, before anything is read; `savedAt` null: empty */
  | { kind: 'cached'; records: FileRecord[]; order: string[]; savedAt: number | null }
  | { kind: 'records'; records: FileRecord[]; problems: RowProblem[] }
  | { kind: 'removed'; ids: string[] }
  /** pages mode: the total number of files */
  | { kind: 'total'; total: number }
  /** HEAD mode: all ids of the account as read again, in the service's order */
  | { kind: 'list'; ids: string[] }
  /** everything is read; nothing older is shown any more */
  | { kind: 'complete'; order: string[] | null }
  /** all names in locale order, each once; sent when they have changed */
  | { kind: 'names'; names: string[] }
  | { kind: 'failed'; failure: Failure }

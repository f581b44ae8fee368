import type { Session } from '../../base/api/client.ts'
import type { FileRecord, RecordSource } from '../../base/api/metadata-reader.ts'

/** Why a reading stopped or a row could not be read, in a form that crosses to and from the worker. */
export type Failure = { status: number; message: string; retryAfterMs: number | null }

/** A row that could not be read. */
export type RowProblem = { id: string; message: string }

export type ToWorker =
  /** first: whose files, and whether the service offers metadata in pages */
  | { kind: 'open'; session: Session; pages: boolean }
  /** HEAD mode: all ids of the account, in the service's order; what is unread or unfinished is read */
  | { kind: 'list'; ids: readonly string[] }
  /** HEAD mode: read these before all others */
  | { kind: 'first'; ids: readonly string[] }
  /** read these by HEAD, before all others, though they may be known */
  | { kind: 'read'; ids: readonly string[] }
  /** read by the page itself, or told by an event: not to be read again, and to be cached */
  | { kind: 'put'; sources: RecordSource[] }
  | { kind: 'remove'; ids: readonly string[] }
  /** read what changed: by pages, or the list of ids and what of it is unread */
  | { kind: 'changes' }
  /** caches what is not yet cached, and ends */
  | { kind: 'close' }

export type FromWorker =
  /** what was cached on this device, before anything is read; `savedAt` null: nothing */
  | { kind: 'cached'; records: FileRecord[]; order: string[]; savedAt: number | null }
  | { kind: 'records'; records: FileRecord[]; problems: RowProblem[] }
  | { kind: 'removed'; ids: string[] }
  /** pages mode: how many files there are in all */
  | { kind: 'total'; total: number }
  /** HEAD mode: all ids of the account as they were read again, in the service's order */
  | { kind: 'list'; ids: string[] }
  /** everything is read; nothing older is shown any more */
  | { kind: 'complete'; order: string[] | null }
  /** all names in the reader's order, each once; sent when they have changed */
  | { kind: 'names'; names: string[] }
  | { kind: 'failed'; failure: Failure }

import type { Session } from '../api/client.ts'
import type { FileRecord, RecordSource } from '../api/metadata-reader.ts'

/** Why a reading stopped or a row could not be read, in a form that crosses to and from the worker. */
export type Failure = { status: number; message: string; retryAfterMs: number | null }

/** A row that could not be read. */
export type RowProblem = { id: string; message: string }

export type ToWorker =
  /** first: whose files, and whether the service offers metadata in pages */
  | { kind: 'open'; session: Session; pages: boolean }
  /** HEAD mode: all ids of the account, in the service's order; what is unread or unfinished is read */
  | { kind: 'ids'; ids: string[] }
  /** read by the page itself, or told by an event: not to be read again, and to be kept */
  | { kind: 'put'; sources: RecordSource[] }
  | { kind: 'remove'; ids: string[] }
  /** pages mode: read what changed */
  | { kind: 'changes' }
  /** writes what is not yet kept, and ends */
  | { kind: 'close' }

export type FromWorker =
  /** what was kept on this device, before anything is read */
  | { kind: 'kept'; records: FileRecord[]; order: string[]; savedAt: number | null }
  | { kind: 'records'; records: FileRecord[]; problems: RowProblem[] }
  | { kind: 'removed'; ids: string[] }
  /** pages mode: how many files there are in all */
  | { kind: 'total'; total: number }
  /** everything is read; nothing older is shown any more */
  | { kind: 'complete'; order: string[] | null }
  /** all names in the reader's order, each once; told when they have changed */
  | { kind: 'names'; names: string[] }
  | { kind: 'failed'; failure: Failure }

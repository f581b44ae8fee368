import type { Credentials } from '../../../base/api/client.ts'
import type { SendOptions } from '../../../base/api/send-file.ts'
import type { Agreement, Owner, Upload } from '../tray/upload.ts'
import type { UploadList } from '../tray/upload-list.ts'
import type { ExistingFile } from './existing-file.ts'
import type { UploadFailure } from './upload-failure.ts'

/** The service's capabilities that matter for sending. */
export type Abilities = {
  /** resumable uploads (tus): takes the file in pieces and continues after an interruption */
  readonly resumes: boolean
  /** idempotency: a repeated Idempotency-Key returns the first order */
  readonly knowsKeys: boolean
}

export type SendUpload = (
  credentials: Credentials,
  upload: Upload & { readonly agreement: Agreement },
  file: Blob | null,
  options: SendOptions & { readonly resumes: boolean; readonly onUrl: (url: string) => void },
) => Promise<string>

/** The queue's dependencies; injected, so that a test can be the network and the clock. */
export type QueuePorts = {
  uploads: UploadList
  /** null: nobody is signed in to that account */
  credentialsOf: (owner: Owner) => Credentials | null
  makeAbilities: (owner: Owner) => Abilities
  send: SendUpload
  /** ids of all files of the account, for services without Idempotency-Key */
  listIds: (credentials: Credentials) => Promise<readonly string[]>
  /** a file on the account that may be this very upload */
  findExisting: (credentials: Credentials, upload: Upload) => Promise<ExistingFile | null>
  /** resolves once the service responds at all */
  untilReachable: (signal: AbortSignal) => Promise<void>
  /** writes all changes of the list to this device; resolves once they are on disk */
  save: () => Promise<void>
  isOnline: () => boolean
  now: () => number
  /** calls back every `ms` until the returned function is called */
  every: (ms: number, callback: () => void) => () => void
  onOrdered: (upload: Upload, fileId: string) => void
}

export type QueueState = {
  readonly paused: boolean
  /** the failure that paused the queue automatically: every upload would fail the same way */
  readonly stoppedBy: UploadFailure | null
  readonly unreachable: boolean
  /** the last delay requested by the service, in milliseconds (429 and 503 with Retry-After) */
  readonly breakMs: number
}

import type { Environment } from '../../../../contract/interface/environment.ts'
import type { MediaExtension, MediaKind } from '../../../../contract/interface/media-formats.ts'
import type { OrderOptions } from '../../../../contract/interface/option-values.ts'
import { remedyOf, type UploadFailure } from '../queue/upload-failure.ts'

/** Whose upload it is: nothing is ever sent with another account's key. */
export type Owner = { readonly environment: Environment; readonly account: string }

/** What the browser could read of a recording. Null: it could not, and the service will find out. */
export type Inspection = {
  /** null: the first bytes are no format of spec 4.2 */
  readonly format: MediaExtension | null
  readonly kind: MediaKind | null
  readonly durationMs: number | null
  readonly hasSound: boolean | null
  /** SHA-256 of head, tail and size, hex: the same for the same recording under another name */
  readonly fingerprint: string | null
  /** set where the bytes could not be read at all */
  readonly unreadable: boolean
}

export type FileSource = {
  readonly kind: 'file'
  /** null after a reload, until the file is dropped again or access to its handle is granted again */
  readonly file: Blob | null
  /** lets a reloaded page open the file again, where the browser stores such handles: its own or its dropped folder's */
  readonly handle: FileSystemFileHandle | FileSystemDirectoryHandle | null
  /** of the file within that folder, the file's name last */
  readonly path?: readonly string[]
  /** the name of the folder that it came in */
  readonly folder?: string
  readonly lastModified: number
  /**
   * length of what was recorded with the microphone here, which browsers leave out of the file; null for all else. This
   * tab has the only copy, so the recording itself is stored on this device until it is ordered.
   */
  readonly recordedMs: number | null
}
type LinkSource = { readonly kind: 'link'; readonly url: string }

/** What was agreed to when "Upload and pay" was pressed; never changes afterwards. */
export type Agreement = {
  readonly options: OrderOptions
  /** options as they go on the wire, from `?`; frozen so that a retry asks for exactly the same */
  readonly query: string
  /** null: the service gives no prices, or the length was not readable */
  readonly totalCents: number | null
  /** of a link, whose price is known only once it was fetched: the most that it may cost; else none */
  readonly maxTotalCents?: number | null
  /** whose vocabulary is for it, too */
  readonly preset?: string | null
  /** where it goes, and whether over the budget there, too; null: into no project */
  readonly project?: { readonly id: string; readonly name: string; readonly overBudget: boolean } | null
  readonly currency: string
  readonly at: number
}

/** What an upload that was submitted waits for. */
export type Hold = 'turn' | 'paused' | 'offline' | 'unreachable' | 'retry' | 'signed-out' | 'file-needed' | 'busy'

export type UploadState =
  /** in the tray; nothing is on the wire */
  | { readonly is: 'draft' }
  | { readonly is: 'waiting'; readonly hold: Hold }
  | {
      readonly is: 'sending'
      readonly sentBytes: number
      readonly bytesPerSecond: number | null
      readonly secondsLeft: number | null
      /** no byte has moved for half a minute */
      readonly stalled: boolean
    }
  /** every byte is sent; waits while the service reads, prices and charges */
  | { readonly is: 'confirming'; readonly since: number }
  | { readonly is: 'checking' }
  | { readonly is: 'ordered'; readonly fileId: string }
  | { readonly is: 'failed'; readonly failure: UploadFailure }

/** One recording, from the tray until it is ordered. `id` is its Idempotency-Key throughout. */
export type Upload = {
  readonly id: string
  readonly owner: Owner
  readonly source: FileSource | LinkSource
  /** with its extension, as the customer knows it */
  readonly name: string
  /** 0 for links */
  readonly bytes: number
  readonly addedAt: number
  /** null: still being read */
  readonly inspection: Inspection | null
  /** what this upload orders differently from the rest of the tray */
  readonly overrides: Partial<OrderOptions>
  /** the preset that was applied to it alone; null: its options were reset */
  readonly preset?: string | null
  /** the project that was chosen for it alone; null: none */
  readonly project?: string | null
  readonly agreement: Agreement | null
  readonly state: UploadState
  /** address of the service's resumable upload that holds the bytes of an earlier attempt */
  readonly resumeUrl: string | null
  /** when an attempt began that may have reached the service though no answer came; null: it cannot have this file */
  readonly unclearSince: number | null
  /** ids on the account before the first attempt, for services that know no Idempotency-Key */
  readonly idsBefore: readonly string[] | null
}

/** True for an upload of this account. */
export function isOwnedBy({ owner }: Pick<Upload, 'owner'>, { environment, account }: Owner): boolean {
  return owner.account === account && owner.environment === environment
}

/** True once it has left the tray. */
export function isSubmitted(upload: Upload): boolean {
  return upload.state.is !== 'draft'
}

/** True if it failed and a retry may succeed: it needs no other file, no other key and nobody's decision. */
export function isRetryable({ state }: Upload): boolean {
  return state.is === 'failed' && remedyOf(state.failure) === 'retry'
}

/** True while leaving the site would interrupt or forget something on the wire. */
export function isBusy(upload: Upload): boolean {
  return ['waiting', 'sending', 'confirming', 'checking'].includes(upload.state.is)
}

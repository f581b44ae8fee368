import type { Environment } from '../../../../contract/interface/environment.ts'
import type { MediaExtension, MediaKind } from '../../../../contract/interface/media-formats.ts'
import type { OrderOptions } from '../../../../contract/interface/option-values.ts'
import type { OrderSound } from '../../../../contract/interface/order-sound.ts'
import type { MediaFacts } from '../media/bytes.ts'
import { findRemedy, type UploadFailure } from '../queue/upload-failure.ts'

/** The owning account: nothing is ever sent with another account's key. */
export type Owner = { readonly environment: Environment; readonly account: string }

/** What the browser could read of a recording. Null: it could not, and the service will determine it. */
export type Inspection = {
  /** null: the first bytes match no format of spec 4.2 */
  readonly format: MediaExtension | null
  readonly kind: MediaKind | null
  readonly durationMs: number | null
  readonly hasSound: boolean | null
  readonly tracks?: MediaFacts['tracks']
  /** two channels that are clearly of two speakers; found last, as it takes longer than all the rest */
  readonly isSplit?: true
  /** SHA-256 of head, tail and size, hex: independent of the file's name */
  readonly fingerprint: string | null
  /** set if the bytes could not be read at all */
  readonly unreadable: boolean
}

export type FileSource = {
  readonly kind: 'file'
  /** null after a reload, until the file is dropped again or access to its handle is granted again */
  readonly file: Blob | null
  /** reopens the file after a reload, if the browser stores such handles: its own or its dropped folder's */
  readonly handle: FileSystemFileHandle | FileSystemDirectoryHandle | null
  /** path of the file within that folder, file name last */
  readonly path?: readonly string[]
  /** name of the folder it came from */
  readonly folder?: string
  readonly lastModified: number
  /**
   * length of a microphone recording made here, which browsers omit from the file; null for all else. This tab has the
   * only copy, so the recording itself is stored on this device until it is ordered.
   */
  readonly recordedMs: number | null
}
/** The names of the folders that a file was dropped or chosen with, its own last; browsers and react-dropzone differ. */
export function pathOf(file: Blob & { webkitRelativePath?: string; path?: string }): string[] {
  return (file.webkitRelativePath || file.path || '').split('/').filter((name) => name !== '' && name !== '.')
}

type LinkSource = { readonly kind: 'link'; readonly url: string }

/** The terms agreed to when "Upload and pay" was pressed; immutable. */
export type Agreement = {
  readonly options: OrderOptions
  /** options in wire format, from `?`; frozen so that a retry sends an identical request */
  readonly query: string
  /** null: the service publishes no prices, or the length is unknown */
  readonly totalCents: number | null
  /** what the button said at most (decision 87); null: the service publishes no prices */
  readonly maxTotalCents?: number | null
  /** what the page said that the card pays in, for all of its batch (decision 149); null: it did not know */
  readonly maxTopUpCents?: number | null
  /** it is ordered although the account has its recording already, or nobody could tell */
  readonly mayRepeat?: boolean
  /** the share of the free minutes that its price counts on; omitted: the service gives none */
  readonly freeMs?: number
  /** the preset whose vocabulary also applies */
  readonly preset?: string | null
  /** what is heard of the recording; null: nothing in particular */
  readonly sound?: OrderSound | null
  /** target project, and whether its budget may be exceeded; null: no project */
  readonly project?: { readonly id: string; readonly name: string; readonly overBudget: boolean } | null
  /** another file of this press has the same name and size, so that these do not tell which of them is ordered */
  readonly hasTwin?: boolean
  /** what was agreed to by one press has the same */
  readonly batch: string
  readonly currency: string
  readonly at: number
}

/** Why a submitted upload waits. */
export type Hold = 'turn' | 'paused' | 'offline' | 'unreachable' | 'retry' | 'signed-out' | 'file-needed' | 'busy'

export type UploadState =
  /** in the tray; nothing is being sent */
  | { readonly is: 'draft' }
  | { readonly is: 'waiting'; readonly hold: Hold }
  | {
      readonly is: 'sending'
      readonly sentBytes: number
      readonly bytesPerSecond: number | null
      readonly secondsLeft: number | null
      /** no byte has been sent for half a minute */
      readonly stalled: boolean
    }
  /** every byte is sent; the service is reading, pricing and charging */
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
  /** null: still being inspected */
  readonly inspection: Inspection | null
  /** options that differ from the rest of the tray */
  readonly overrides: Partial<OrderOptions>
  /** the preset applied to this upload only; null: its options were reset */
  readonly preset?: string | null
  /** what is to be heard of it; null: nothing in particular */
  readonly sound?: OrderSound | null
  /** the project chosen for this upload only; null: none */
  readonly project?: string | null
  readonly agreement: Agreement | null
  readonly state: UploadState
  /** URL of the service's resumable upload that holds the bytes of an earlier attempt */
  readonly resumeUrl: string | null
  /** how many bytes it holds, to the percent of the whole: each step is written to this device; omitted: none */
  readonly heldBytes?: number
  /** start of an attempt that may have reached the service without a response; null: it cannot have this file */
  readonly unclearSince: number | null
  /** ids on the account before the first attempt, for services without Idempotency-Key */
  readonly idsBefore: readonly string[] | null
}

/** True if this account owns the upload. */
export function isOwnedBy({ owner }: Pick<Upload, 'owner'>, { environment, account }: Owner): boolean {
  return owner.account === account && owner.environment === environment
}

/** True once it has left the tray. */
export function isSubmitted(upload: Upload): boolean {
  return upload.state.is !== 'draft'
}

/** How many of its bytes are sent and need not be sent again. */
export function sentBytes({ state, bytes, heldBytes = 0 }: Upload): number {
  if (state.is === 'confirming' || state.is === 'ordered') return bytes
  return state.is === 'sending' ? Math.max(state.sentBytes, heldBytes) : heldBytes
}

/** Whether a file that is there again after a reload is to be read: also where its channels may not have been heard by then. */
export function isToRead({ inspection, state }: Upload): boolean {
  return inspection === null || (state.is === 'draft' && inspection.isSplit !== true)
}

/** True if it failed and a retry may succeed: it needs no other file, no other key and no decision. */
export function isRetryable({ state }: Upload): boolean {
  return state.is === 'failed' && findRemedy(state.failure) === 'retry'
}

/** True if it was submitted and lost its file in a reload. */
export function needsFile({ state }: Upload): boolean {
  return state.is === 'waiting' && state.hold === 'file-needed'
}

/** True if it has no file since a reload. */
export function lacksFile({ source }: Pick<Upload, 'source'>): boolean {
  return source.kind === 'file' && source.file === null
}

/** An upload that was agreed to and lost its file, also if it had failed before. */
export type LostUpload = Upload & { readonly agreement: Agreement }
export function isLost(upload: Upload): upload is LostUpload {
  return upload.agreement !== null && upload.state.is !== 'ordered' && lacksFile(upload)
}

/** True while leaving the site would interrupt a transfer or lose its state. */
export function isBusy(upload: Upload): boolean {
  return ['waiting', 'sending', 'confirming', 'checking'].includes(upload.state.is)
}

/** Whether an upload is neither an order yet nor has failed. */
export function isUnderWay({ state }: Upload): boolean {
  return state.is !== 'ordered' && state.is !== 'failed'
}

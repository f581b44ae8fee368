import type { Environment } from '../../../contract/environment.ts'
import type { MediaExtension, MediaKind } from '../../../contract/media-formats.ts'
import type { OrderOptions } from '../../../contract/option-values.ts'
import { type Failure, remedyOf } from '../queue/failure.ts'

/** Whose line it is: nothing is ever sent with another account's key. */
export type Owner = { readonly environment: Environment; readonly account: string }

/** What reading a recording in the browser told. Null: could not be read here, the service will tell. */
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
  /** null after a reload, until the file is dropped again or its handle is allowed again */
  readonly file: Blob | null
  /** lets a reload find the file on disk again, where the browser keeps such handles */
  readonly handle: FileSystemFileHandle | null
  readonly lastModified: number
  /**
   * length of what was recorded with the microphone here, which browsers leave out of the file; null for all else. The
   * tab has its only copy, so the recording itself is kept on this device until ordered.
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
  readonly currency: string
  readonly at: number
}

/** Why a line waits though it is ordered. */
export type Hold = 'turn' | 'paused' | 'offline' | 'unreachable' | 'signed-out' | 'file-needed' | 'busy'

export type LineState =
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
  /** every byte is sent; the service reads, prices and charges */
  | { readonly is: 'confirming'; readonly since: number }
  | { readonly is: 'checking' }
  | { readonly is: 'ordered'; readonly fileId: string }
  | { readonly is: 'failed'; readonly failure: Failure }

/** One recording from the tray to its order. `id` is its Idempotency-Key from first to last. */
export type Line = {
  readonly id: string
  readonly owner: Owner
  readonly source: FileSource | LinkSource
  /** with its extension, as the customer knows it */
  readonly name: string
  /** 0 for links */
  readonly bytes: number
  readonly addedAt: number
  /** null: being read */
  readonly inspection: Inspection | null
  /** what this line orders differently from the rest of the tray */
  readonly overrides: Partial<OrderOptions>
  readonly agreement: Agreement | null
  readonly state: LineState
  /** bytes an earlier try left with the service's resumable endpoint, and where */
  readonly resumeUrl: string | null
  /** when a try ended without an answer after everything was sent; null: the service cannot have this file */
  readonly unclearSince: number | null
  /** ids on the account before the first try, kept for services that know no Idempotency-Key */
  readonly idsBefore: readonly string[] | null
}

/** True once the line is out of the tray. */
export function isOrderedFrom(line: Line): boolean {
  return line.state.is !== 'draft'
}

/** True where it failed and the same again may succeed: no other file is needed, no key, and nobody's decision. */
export function isWorthTrying({ state }: Line): boolean {
  return state.is === 'failed' && remedyOf(state.failure) === 'retry'
}

/** True while leaving the site would interrupt or forget something on the wire. */
export function isBusy(line: Line): boolean {
  return ['waiting', 'sending', 'confirming', 'checking'].includes(line.state.is)
}

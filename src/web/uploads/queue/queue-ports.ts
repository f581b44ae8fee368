import type { Credentials } from '../../api/client.ts'
import type { SendOptions } from '../../api/send-file.ts'
import type { Agreement, Line, Owner } from '../tray/line.ts'
import type { Lines } from '../tray/lines.ts'
import type { ExistingFile } from './existing-file.ts'
import type { Failure } from './failure.ts'

/** What the service of an account can do, as far as sending goes. */
export type Abilities = {
  /** takes the file in pieces and goes on after an interruption (tus) */
  readonly resumes: boolean
  /** answers a repeated Idempotency-Key with the first order */
  readonly knowsKeys: boolean
}

export type SendLine = (
  credentials: Credentials,
  line: Line & { readonly agreement: Agreement },
  file: Blob | null,
  options: SendOptions & { readonly resumes: boolean; readonly onUrl: (url: string) => void },
) => Promise<string>

/** Everything the queue stands on; passed in, so that a test is the network and the clock. */
export type QueuePorts = {
  lines: Lines
  /** null: nobody is signed in to that account */
  credentialsOf: (owner: Owner) => Credentials | null
  abilitiesOf: (owner: Owner) => Abilities
  send: SendLine
  /** ids on the account, for services that know no Idempotency-Key */
  listIds: (credentials: Credentials) => Promise<readonly string[]>
  /** what the account has that may be this very line */
  findExisting: (credentials: Credentials, line: Line) => Promise<ExistingFile | null>
  /** ends well once the service answers anything */
  untilReachable: (signal: AbortSignal) => Promise<void>
  /** resolves once the line's record is safe on this device */
  saved: (id: string) => Promise<void>
  isOnline: () => boolean
  now: () => number
  /** calls back every `ms` until the returned function is called */
  every: (ms: number, callback: () => void) => () => void
  onOrdered: (line: Line, fileId: string) => void
}

export type QueueState = {
  readonly paused: boolean
  /** why the queue paused by itself: every line would fail the same way */
  readonly stoppedBy: Failure | null
  readonly unreachable: boolean
  /** milliseconds that the service last asked to wait (429 and 503 with Retry-After) */
  readonly breakMs: number
}

import type { Logger } from 'pino'
import type { Recognition } from '../../contract/account/account.ts'
import type { Environment } from '../../contract/interface/environment.ts'
import type { Config } from './config.ts'
import type { Changes } from './db/changes.ts'
import type { HotReads } from './db/hot-reads.ts'
import type { KeyUse } from './db/key-use.ts'
import type { Db } from './db/open.ts'
import type { ReadLog } from './db/read-log.ts'
import type { BlobStore } from './media/blob-store.ts'
import type { Reserve } from './media/reserve.ts'
import type { Guard } from './net/outbound-guard.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The time in milliseconds since 1970. Injected, so that tests can set it. */
export type Clock = () => number

/** The dependencies of every room of the service; created once in `service.ts`, passed down, never imported. */
export type Platform = {
  config: Config
  db: Db
  hotReads: HotReads
  keyUse: KeyUse
  readLog: ReadLog
  blobs: BlobStore
  /** the name of this process in its leases (`db/leases.ts`) */
  node: string
  /**
   * how many processes on the database serve requests, and how many process orders; the engine that this one recognizes
   * recordings with, once it has begun
   */
  nodes: {
    readonly answering: number
    readonly working: number
    hears: string | null
    /** seconds of audio that all processes together recognize per second; null: not measured yet */
    readonly pace: number | null
    /** Records audio recognized by this process. @param soundMs of the recording, in `tookMs` */
    heard(soundMs: number, tookMs: number): void
    /** Sets how this process finds out how it recognizes speech, so that the others know. */
    describedBy(describe: () => Promise<Recognition>): Promise<void>
    /** How orders are recognized: here, or if this process handles none, by those that do. */
    recognition(): Promise<Recognition>
    /** how many processes recognize recordings: those that process orders and have the engine for it */
    hearing(): Promise<number>
  }
  /** @throws if the database cannot be used */
  checkStore(): Promise<void>
  /** closes the database and its listeners */
  closeStore(): Promise<void>
  /** runs work that frees disk space */
  reserve: Reserve
  /** the payment providers: in the sandbox always the ledger's test cards, live the provider if there is one */
  payment: Readonly<Record<Environment, PaymentProvider>>
  /** the only way to reach customer-supplied addresses */
  guard: Guard
  changes: Changes
  clock: Clock
  log: Logger
  /** aborted as soon as shutdown begins: it should get no more requests if another node takes them */
  leaving: AbortSignal
  /** aborted some seconds into shutdown, with the refusal (503) of requests still in progress */
  ending: AbortSignal
}

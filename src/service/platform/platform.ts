import type { Logger } from 'pino'
import type { Recognition } from '../../contract/account/recognition.ts'
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

/** The time in milliseconds since 1970. Passed in, so that a test can move it. */
export type Clock = () => number

/** What every room of the service uses; made once in `service.ts`, passed down, never imported. */
export type Platform = {
  config: Config
  db: Db
  hotReads: HotReads
  keyUse: KeyUse
  readLog: ReadLog
  blobs: BlobStore
  /** the name of this process in the leases that it holds (`db/leases.ts`) */
  node: string
  /**
   * how many processes on the database answer requests, and how many work on orders; with which engine this one hears
   * recordings, once it has begun
   */
  nodes: {
    readonly answering: number
    readonly working: number
    hears: string | null
    /** seconds of sound that all processes together hear in a second; null: not measured yet */
    readonly pace: number | null
    /** Tells what this one has heard. @param soundMs of the recording, in so much time */
    heard(soundMs: number, tookMs: number): void
    /** Says how this process finds out what it recognises speech with, so that the others know. */
    describedBy(describe: () => Promise<Recognition>): Promise<void>
    /** What orders are recognised with: here, or where this process works on none, by those that do. */
    recognition(): Promise<Recognition>
    /** how many processes hear recordings: those that work on orders and have what it takes */
    hearing(): Promise<number>
  }
  /** @throws if the database cannot be used */
  checkStore(): Promise<void>
  /** closes the database, and what listens to it */
  closeStore(): Promise<void>
  /** what frees room on the disk runs in it */
  reserve: Reserve
  /** who takes the money: in the sandbox the ledger's test cards always, live the provider if there is one */
  payment: Readonly<Record<Environment, PaymentProvider>>
  /** the only way out to addresses that customers give */
  guard: Guard
  changes: Changes
  clock: Clock
  log: Logger
  /** aborted as soon as the service was told to end: it is to get no more requests, where another node takes them */
  leaving: AbortSignal
  /** aborted some seconds after the service was told to end, with the refusal (503) of requests still under way */
  ending: AbortSignal
}

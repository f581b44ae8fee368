import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { BlobStore } from './media/blob-store.ts'
import type { Changes } from './queue/changes.ts'

/** The time in milliseconds since 1970. Passed in, so that a test can move it. */
export type Clock = () => number

/** What every room of the service stands on; made once in `app.ts`, passed down, never imported. */
export type Platform = {
  config: Config
  db: Db
  blobs: BlobStore
  changes: Changes
  clock: Clock
  log: Logger
}

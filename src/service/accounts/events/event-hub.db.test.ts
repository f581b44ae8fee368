import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/open.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { openTestDbs } from '../../testing/test-dbs.ts'
import { createAccount } from '../auth/accounts.ts'
import { EventHub } from './event-hub.ts'

/** Delays the reads that replay events to one stream, like a slow disk. */
class SlowReads implements KyselyPlugin {
  /** resolves when a held read has its rows */
  reached: Promise<void> = Promise.resolve()
  #open: Promise<void> = Promise.resolve()
  #onReached = () => {}
  readonly #ofAccount = new WeakSet<object>()

  /** Holds the next reads until the returned function is called. */
  hold(): () => void {
    this.reached = new Promise((resolve) => {
      this.#onReached = resolve
    })
    let release = () => {}
    this.#open = new Promise((resolve) => {
      release = resolve
    })
    return release
  }

  transformQuery: KyselyPlugin['transformQuery'] = ({ node, queryId }) => {
    const limit = node.kind === 'SelectQueryNode' ? JSON.stringify(node.limit) : ''
    if (limit?.includes('1001')) this.#ofAccount.add(queryId)
    return node
  }

  transformResult: KyselyPlugin['transformResult'] = async ({ result, queryId }) => {
    if (this.#ofAccount.has(queryId)) {
      this.#onReached()
      await this.#open
    }
    return result
  }
}

let db: Db
let remove: () => Promise<void>
let hub: EventHub
let slow: SlowReads
let account: { accountId: string; keyId: string }
const changes = new Changes()
const clock = () => Date.UTC(2026, 10, 16)

beforeEach(async () => {
  const opened = await openTestDbs()
  remove = opened.remove
  db = opened.dbs[0]
  slow = new SlowReads()
  hub = new EventHub({ db: db.withPlugin(slow), changes, clock, log: pino({ level: 'silent' }) })
  account = await createAccount(db, { environment: 'sandbox', name: 'A' }, clock())
})
afterEach(async () => {
  await hub.close()
  await remove()
})

const reader = () => ({ account: { id: account.accountId }, keyId: account.keyId, limits: null })

async function append(count: number): Promise<void> {
  await writeAccount(db, account.accountId, async (trx) => {
    for (let index = 0; index < count; index += 1) await appendEvent(trx, 'account', {}, clock())
  })
}

/** The events received by a stream, and a wait for a number of events of a kind. */
class RecordedStream {
  readonly frames: { id: number; kind: string }[] = []
  #look = () => {}
  readonly sink = {
    write: (text: string) => {
      const [, id, kind] = /id: (\d+)\nevent: (\S+)/.exec(text) ?? []
      // Heartbeats are not events; a slow run has some of them.
      if (kind !== undefined) this.frames.push({ id: Number(id), kind })
      this.#look()
    },
    pendingBytes: () => 0,
    end: () => {},
  }

  ids(kind: string): number[] {
    return this.frames.filter((frame) => frame.kind === kind).map(({ id }) => id)
  }

  async until(kind: string, count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#look = () => {
        if (this.ids(kind).length >= count) resolve()
      }
      this.#look()
    })
  }
}

async function opened(lastEventId: number | null): Promise<RecordedStream> {
  const stream = new RecordedStream()
  await hub.open(stream.sink, reader(), lastEventId)
  return stream
}

test('events that happen during a replay are sent after it, once and in order', async () => {
  const witness = await opened(null)
  await append(2)
  const release = slow.hold()
  const stream = new RecordedStream()
  const opening = hub.open(stream.sink, reader(), 0)
  await slow.reached // its rows are read, two of them, and not sent yet
  await append(3)
  changes.notify({ kind: 'account', accountId: account.accountId })
  await witness.until('account', 5) // the hub has handed out all five
  release()
  await opening
  expect(stream.ids('account')).toEqual(witness.ids('account'))
})

test('a gap too long for a replay, made while a stream opens, is a resync, and events continue from there', async () => {
  const witness = await opened(null)
  await append(1)
  const release = slow.hold()
  const stream = new RecordedStream()
  const opening = hub.open(stream.sink, reader(), 0)
  await slow.reached
  await append(1_001)
  changes.notify({ kind: 'account', accountId: account.accountId })
  await witness.until('account', 1_002)
  release()
  await opening
  expect(stream.frames.map(({ kind }) => kind)).toEqual(['hello', 'account', 'resync'])
  await append(1)
  changes.notify({ kind: 'account', accountId: account.accountId })
  await stream.until('account', 2)
  expect(stream.ids('account').at(-1)).toBe(1_003)
})

test('events purged while a stream reads them cause a resync', async () => {
  await append(3)
  const release = slow.hold()
  const stream = new RecordedStream()
  const opening = hub.open(stream.sink, reader(), 0)
  await slow.reached
  await db.updateTable('account_cursors').set({ events_purged: 2 }).execute()
  release()
  await opening
  expect(stream.frames.map(({ kind }) => kind)).toEqual(['hello', 'resync'])
})

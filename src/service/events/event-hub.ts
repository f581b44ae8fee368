import type { Selectable } from 'kysely'
import { heartbeatMs, streamEventKinds } from '../../contract/account-events.ts'
import { CoalescedTask } from '../../contract/coalesced-task.ts'
import type { Database } from '../db/schema.ts'
import type { Platform } from '../platform.ts'

type EventRow = Selectable<Database['events']>
type HubPlatform = Pick<Platform, 'db' | 'changes' | 'clock' | 'log'>

/** Where a stream is written to. */
export type EventSink = {
  write(text: string): void
  /** bytes given to `write` that the reader has not received yet */
  pendingBytes(): number
  end(): void
}

type Listener = {
  sink: EventSink
  accountId: string
  keyId: string
  /** id of the newest event that was sent */
  sentId: number
  /** while old events are read from the database; new ones wait for the next read */
  replaying: boolean
  missed: boolean
  /** second of the heartbeat interval in which this stream gets its heartbeat */
  beat: number
}

/** A reader that falls behind by more than this is disconnected; it resumes with its last id and misses nothing. */
const maxPendingBytes = 256 * 1_024
/** For a gap of more events than this, reading everything again is cheaper than a replay. */
const maxReplayed = 1_000
/** Other processes (the command line) change the database too: it is polled this often. */
const pollEveryMs = 500
const beatEveryMs = 1_000
const beats = heartbeatMs / beatEveryMs

/** One server-sent event (WHATWG HTML, 9.2.5); JSON has no line breaks. */
function frame(kind: string, data: string, id: number): string {
  return `id: ${id}\nevent: ${kind}\ndata: ${data}\n\n`
}

/**
 * Sends the `events` table to open streams: one read of the table for all of them, one text for all streams of an
 * account. Resumes by id; sends `resync` where the gap is too old or too long.
 */
export class EventHub {
  readonly #platform: HubPlatform
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #unsubscribe: () => void
  readonly #timers: NodeJS.Timeout[]
  /** id of the newest event that was dispatched */
  #cursor = 0
  #size = 0
  #second = 0
  readonly #reading: CoalescedTask
  #keysCheckedAt: number

  constructor(platform: HubPlatform) {
    this.#platform = platform
    this.#keysCheckedAt = platform.clock()
    this.#reading = new CoalescedTask(
      () => this.#readEvents(),
      // A locked database: the next poll, half a second later, sends what this one could not.
      (error) => platform.log.warn({ err: error }, 'events could not be read'),
    )
    this.#unsubscribe = platform.changes.subscribe((change) => {
      if (change.kind === 'key-revoked') this.#endKeys(new Set([change.keyId]))
      this.#requestRead()
    })
    this.#timers = [setInterval(() => this.#requestRead(), pollEveryMs), setInterval(() => this.#beat(), beatEveryMs)]
    for (const timer of this.#timers) timer.unref()
  }

  /** How many streams are open. */
  get size(): number {
    return this.#size
  }

  /**
   * Opens a stream: `hello`, then `resync` where the events after `lastEventId` are not there, then events.
   * @returns a function that unsubscribes the stream without ending its sink
   */
  async open(sink: EventSink, accountId: string, keyId: string, lastEventId: number | null): Promise<() => void> {
    const newestId = await this.#newestId()
    if (this.#size === 0) {
      this.#cursor = newestId
      this.#keysCheckedAt = this.#platform.clock()
    }
    const sentId = lastEventId === null ? newestId : Math.min(lastEventId, newestId)
    const beat = this.#size % beats
    const listener = { sink, accountId, keyId, sentId, replaying: true, missed: false, beat }
    const ofAccount = this.#listeners.get(accountId) ?? new Set()
    this.#listeners.set(accountId, ofAccount.add(listener))
    this.#size += 1
    sink.write(frame(streamEventKinds.hello, JSON.stringify({ heartbeat_ms: heartbeatMs }), sentId))
    // An id from the future is another database's, so what happened since is unknown.
    if (lastEventId !== null && lastEventId > newestId) this.#resync(listener, newestId)
    await this.#replay(listener)
    return () => this.#forget(listener)
  }

  /** Ends all streams. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#unsubscribe()
    void this.#reading.stop()
    for (const listener of this.#all()) this.#end(listener)
  }

  *#all(): Iterable<Listener> {
    for (const ofAccount of this.#listeners.values()) yield* ofAccount
  }

  #forget(listener: Listener): void {
    const ofAccount = this.#listeners.get(listener.accountId)
    if (ofAccount?.delete(listener) !== true) return
    this.#size -= 1
    if (ofAccount.size === 0) this.#listeners.delete(listener.accountId)
  }

  #end(listener: Listener): void {
    this.#forget(listener)
    listener.sink.end()
  }

  #endKeys(keyIds: ReadonlySet<string>): void {
    for (const listener of this.#all()) if (keyIds.has(listener.keyId)) this.#end(listener)
  }

  async #newestId(): Promise<number> {
    const { newest } = await this.#platform.db
      .selectFrom('events')
      .select((eb) => eb.fn.max('id').as('newest'))
      .executeTakeFirstOrThrow()
    return Math.max(newest ?? 0, await this.#purgedId())
  }

  /** Events up to this id have been purged. */
  async #purgedId(): Promise<number> {
    const { db } = this.#platform
    const row = await db.selectFrom('counters').select('value').where('name', '=', 'events_purged').executeTakeFirst()
    return row?.value ?? 0
  }

  async #eventsAfter(id: number, accountId: string | null, limit: number): Promise<EventRow[]> {
    return await this.#platform.db
      .selectFrom('events')
      .selectAll()
      .where('id', '>', id)
      .$if(accountId !== null, (query) => query.where('account_id', '=', accountId ?? ''))
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  /** Sends the account's events after the listener's last id, until it has caught up. */
  async #replay(listener: Listener): Promise<void> {
    do {
      listener.missed = false
      const rows = await this.#eventsAfter(listener.sentId, listener.accountId, maxReplayed + 1)
      // Read after the rows, so that a purge in between is noticed.
      const isPurged = listener.sentId < (await this.#purgedId())
      if (isPurged || rows.length > maxReplayed) this.#resync(listener, await this.#newestId())
      else for (const row of rows) this.#send(listener, row.id, frame(row.kind, row.data_json, row.id))
    } while (listener.missed)
    listener.replaying = false
  }

  #resync(listener: Listener, newestId: number): void {
    this.#send(listener, newestId, frame(streamEventKinds.resync, '{}', newestId))
  }

  #send(listener: Listener, id: number, text: string): void {
    listener.sentId = id
    if (listener.sink.pendingBytes() > maxPendingBytes) this.#end(listener)
    else listener.sink.write(text)
  }

  #requestRead(): void {
    if (this.#size > 0) this.#reading.request()
  }

  async #readEvents(): Promise<void> {
    if (this.#size === 0) return
    await this.#endDeadKeys()
    const rows = await this.#eventsAfter(this.#cursor, null, maxReplayed)
    for (const row of rows) this.#dispatch(row)
    if (rows.length === maxReplayed) this.#requestRead()
  }

  #dispatch(row: EventRow): void {
    this.#cursor = row.id
    const ofAccount = this.#listeners.get(row.account_id)
    if (ofAccount === undefined) return
    const text = frame(row.kind, row.data_json, row.id)
    for (const listener of ofAccount) {
      if (listener.replaying) listener.missed = true
      else if (row.id > listener.sentId) this.#send(listener, row.id, text)
    }
  }

  /** Ends streams of keys that any process has revoked, or that have expired, since the last read. */
  async #endDeadKeys(): Promise<void> {
    const now = this.#platform.clock()
    const since = this.#keysCheckedAt - pollEveryMs
    this.#keysCheckedAt = now
    const dead = await this.#platform.db
      .selectFrom('api_keys')
      .select('id')
      .where((eb) =>
        eb.or([eb('revoked_at', '>=', since), eb.and([eb('expires_at', '>=', since), eb('expires_at', '<=', now)])]),
      )
      .execute()
    if (dead.length > 0) this.#endKeys(new Set(dead.map(({ id }) => id)))
  }

  /**
   * Heartbeat: a comment line, to a fifteenth of the streams each second, so that thousands are not written to at once.
   */
  #beat(): void {
    this.#second = (this.#second + 1) % beats
    for (const listener of this.#all()) if (listener.beat === this.#second) listener.sink.write(':\n\n')
  }
}

import type { Selectable } from 'kysely'
import { heartbeatMs, streamEventKinds } from '../../../contract/account/events.ts'
import { CoalescedTask } from '../../../contract/common/coalesced-task.ts'
import type { KnownKey } from '../../platform/db/hot-reads.ts'
import type { Database } from '../../platform/db/schema.ts'
import { ownErrors } from '../../platform/own-errors.ts'
import type { Platform } from '../../platform/platform.ts'

type EventRow = Selectable<Database['events']>
type HubPlatform = Pick<Platform, 'db' | 'changes' | 'clock' | 'log'>

/** The output of a stream. */
export type EventSink = {
  write(text: string): void
  /** bytes passed to `write` that the reader has not received yet */
  pendingBytes(): number
  /** @param last sent before the end, to a reader that keeps up */
  end(last?: string): void
}

type Listener = {
  sink: EventSink
  accountId: string
  keyId: string
  /** its key reaches only some projects: it learns that something changed, not what */
  isLimited: boolean
  /** number of the newest event sent */
  sent: number
  /** while old events are read from the database; new ones wait for the next read */
  replaying: boolean
  missed: boolean
  /** second of the heartbeat interval in which this stream gets its heartbeat */
  beat: number
}

/** The key that reads a stream. */
type Reader = Pick<KnownKey, 'keyId' | 'limits'> & { account: { id: string } }

/** A reader further behind than this is disconnected; it resumes with its last id and misses nothing. */
const maxPendingBytes = 256 * 1_024
/** Beyond this many missed events, reloading everything is cheaper than a replay. */
const maxReplayed = 1_000
/** Poll interval: other processes (the command line) change the database, too. */
const pollEveryMs = 500
/** Clocks of nodes may differ by 2 s, and a revocation takes a moment to be committed. */
const revokedUnseenForMs = 5_000
/** Clients whose streams this process ends reconnect after 0.5 to 1.5 s, jittered. */
const comesBackAfterMs = () => 500 + Math.round(Math.random() * 1_000)
/** Accounts per query; SQLite binds at most 32,766 values. */
const accountsAtOnce = 1_000
const beatEveryMs = 1_000
const beats = heartbeatMs / beatEveryMs

/** One server-sent event (WHATWG HTML, 9.2.5); JSON has no line breaks. */
function frame(kind: string, data: string, id: number): string {
  return `id: ${id}\nevent: ${kind}\ndata: ${data}\n\n`
}

/** Kinds that name nothing, and so can be sent to keys that are limited to projects. */
const namelessKinds: readonly string[] = ['labels', 'projects', 'account']

function frameFor({ isLimited }: Pick<Listener, 'isLimited'>, { seq, kind, data_json }: EventRow): string {
  return isLimited && !namelessKinds.includes(kind) ? frame('labels', '{}', seq) : frame(kind, data_json, seq)
}

/** The open streams of an account. */
type AccountStreams = {
  listeners: Set<Listener>
  /** number of the newest event handed out */
  cursor: number
}

/**
 * Sends the `events` table to open streams: one read and one text for all streams of an account. Resumes by the
 * account's event numbers; sends `resync` if the gap is too old or too long.
 */
export class EventHub {
  readonly #platform: HubPlatform
  readonly #accounts = new Map<string, AccountStreams>()
  /** accounts with new events, as far as this process has been notified */
  readonly #changed = new Set<string>()
  #isPollDue = false
  readonly #opening = new Set<Promise<unknown>>()
  #closed = false
  readonly #unsubscribe: () => void
  readonly #timers: NodeJS.Timeout[]
  #size = 0
  #second = 0
  readonly #reading: CoalescedTask
  #keysCheckedAt: number

  constructor(platform: HubPlatform) {
    this.#platform = platform
    this.#keysCheckedAt = platform.clock()
    this.#reading = new CoalescedTask(
      () => this.#readEvents(),
      // A locked database: the next poll, half a second later, catches up.
      (error) => platform.log.warn({ err: error }, 'events could not be read'),
    )
    this.#unsubscribe = platform.changes.subscribe((change) => {
      if (change.kind === 'key-revoked') this.#endKeys(new Set([change.keyId]))
      if ('accountId' in change) this.#requestRead(change.accountId)
    })
    const ignore = (error: unknown) => platform.log.error({ err: error }, 'an event stream failed')
    const beat = ownErrors(() => this.#beat(), ignore)
    this.#timers = [setInterval(() => this.#poll(), pollEveryMs), setInterval(beat, beatEveryMs)]
    for (const timer of this.#timers) timer.unref()
  }

  /** Number of open streams. */
  get size(): number {
    return this.#size
  }

  /**
   * Opens a stream: `hello`, then `resync` if the events after `lastEventId` are gone, then events.
   * @returns a function that unsubscribes the stream without ending its sink
   */
  async open(sink: EventSink, reader: Reader, lastEventId: number | null): Promise<() => void> {
    const opening = this.#open(sink, reader, lastEventId)
    this.#opening.add(opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(opening)
    }
  }

  async #open(
    sink: EventSink,
    { account: { id: accountId }, keyId, limits }: Reader,
    lastEventId: number | null,
  ): Promise<() => void> {
    const { newest } = await this.#cursorsOf(accountId)
    if (this.#closed) {
      sink.end()
      return () => undefined
    }
    if (this.#size === 0) this.#keysCheckedAt = this.#platform.clock()
    const sent = lastEventId === null ? newest : Math.min(lastEventId, newest)
    const isLimited = limits !== null && limits.projects !== null
    const beat = this.#size % beats
    const listener = { sink, accountId, keyId, isLimited, sent, replaying: true, missed: false, beat }
    const streams = this.#accounts.get(accountId) ?? { listeners: new Set(), cursor: newest }
    this.#accounts.set(accountId, streams)
    streams.listeners.add(listener)
    this.#size += 1
    sink.write(frame(streamEventKinds.hello, JSON.stringify({ heartbeat_ms: heartbeatMs }), sent))
    // A future number comes from another database, so what has happened since is unknown.
    if (lastEventId !== null && lastEventId > newest) this.#resync(listener, newest)
    try {
      await this.#replay(listener)
    } catch (error) {
      this.#forget(listener)
      throw error
    }
    return () => this.#forget(listener)
  }

  /** Ends all streams with a reconnection delay, and waits for their pending reads. */
  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#unsubscribe()
    for (const listener of this.#all()) this.#end(listener, `retry: ${comesBackAfterMs()}\n\n`)
    await Promise.all([this.#reading.stop(), ...this.#opening])
  }

  *#all(): Iterable<Listener> {
    for (const { listeners } of this.#accounts.values()) yield* listeners
  }

  #forget(listener: Listener): void {
    const { listeners } = this.#accounts.get(listener.accountId) ?? {}
    if (listeners?.delete(listener) !== true) return
    this.#size -= 1
    if (listeners.size === 0) this.#accounts.delete(listener.accountId)
  }

  #end(listener: Listener, last?: string): void {
    this.#forget(listener)
    listener.sink.end(last)
  }

  #endKeys(keyIds: ReadonlySet<string>): void {
    for (const listener of this.#all()) if (keyIds.has(listener.keyId)) this.#end(listener)
  }

  /** The number of the account's newest event, and of the newest purged one. */
  async #cursorsOf(accountId: string): Promise<{ newest: number; purged: number }> {
    const row = await this.#platform.db
      .selectFrom('account_cursors')
      .select(['event_seq as newest', 'events_purged as purged'])
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return row ?? { newest: 0, purged: 0 }
  }

  async #eventsAfter(accountId: string, seq: number, limit: number): Promise<EventRow[]> {
    return await this.#platform.db
      .selectFrom('events')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute()
  }

  /** Sends the account's events after the listener's last id until it has caught up. */
  async #replay(listener: Listener): Promise<void> {
    do {
      listener.missed = false
      const rows = await this.#eventsAfter(listener.accountId, listener.sent, maxReplayed + 1)
      // Read after the rows, so that a purge in between is noticed.
      const { newest, purged } = await this.#cursorsOf(listener.accountId)
      if (listener.sent < purged || rows.length > maxReplayed) this.#resync(listener, newest)
      else for (const row of rows) this.#send(listener, row.seq, frameFor(listener, row))
    } while (listener.missed && !this.#closed)
    listener.replaying = false
  }

  #resync(listener: Listener, newest: number): void {
    this.#send(listener, newest, frame(streamEventKinds.resync, '{}', newest))
  }

  #send(listener: Listener, seq: number, text: string): void {
    listener.sent = seq
    if (this.#closed) return
    if (listener.sink.pendingBytes() > maxPendingBytes) this.#end(listener)
    else listener.sink.write(text)
  }

  #requestRead(accountId: string): void {
    if (!this.#accounts.has(accountId)) return
    this.#changed.add(accountId)
    this.#reading.request()
  }

  #poll(): void {
    if (this.#size === 0) return
    this.#isPollDue = true
    this.#reading.request()
  }

  async #readEvents(): Promise<void> {
    const isPoll = this.#isPollDue
    const behind = new Set(this.#changed)
    this.#isPollDue = false
    this.#changed.clear()
    if (isPoll) {
      await this.#endDeadKeys()
      for (const accountId of await this.#accountsBehind()) behind.add(accountId)
    }
    for (const accountId of behind) await this.#readAccount(accountId)
  }

  /** Accounts for which another process may have written events. */
  async #accountsBehind(): Promise<string[]> {
    const open = [...this.#accounts.keys()]
    const behind: string[] = []
    for (let from = 0; from < open.length; from += accountsAtOnce) {
      const cursors = await this.#platform.db
        .selectFrom('account_cursors')
        .select(['account_id', 'event_seq'])
        .where('account_id', 'in', open.slice(from, from + accountsAtOnce))
        .execute()
      for (const { account_id, event_seq } of cursors) {
        if (event_seq > (this.#accounts.get(account_id)?.cursor ?? event_seq)) behind.push(account_id)
      }
    }
    return behind
  }

  async #readAccount(accountId: string): Promise<void> {
    const streams = this.#accounts.get(accountId)
    if (streams === undefined) return
    const rows = await this.#eventsAfter(accountId, streams.cursor, maxReplayed)
    for (const row of rows) this.#dispatch(streams, row)
    if (rows.length === maxReplayed) this.#requestRead(accountId)
  }

  #dispatch(streams: AccountStreams, row: EventRow): void {
    const { seq } = row
    streams.cursor = seq
    const text = frameFor({ isLimited: false }, row)
    for (const listener of streams.listeners) {
      if (listener.replaying) listener.missed = true
      else if (seq > listener.sent) this.#send(listener, seq, listener.isLimited ? frameFor(listener, row) : text)
    }
  }

  /** Ends streams of keys that any process has revoked, or that have expired, since the last poll. */
  async #endDeadKeys(): Promise<void> {
    const now = this.#platform.clock()
    const since = this.#keysCheckedAt - revokedUnseenForMs
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

  /** Heartbeat: a comment line to a fifteenth of the streams each second, which spreads the writes to thousands. */
  #beat(): void {
    this.#second = (this.#second + 1) % beats
    for (const listener of this.#all()) if (listener.beat === this.#second) listener.sink.write(':\n\n')
  }
}

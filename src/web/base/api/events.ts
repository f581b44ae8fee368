import {
  type AccountEventData,
  type AccountEventKind,
  accountEvents,
  heartbeatMs,
  streamEventKinds,
} from '../../../contract/account/events.ts'
import { Signal } from '../state/signal.ts'
import { accountUrl } from './addresses.ts'
import { ApiError, request, type Session } from './client.ts'
import { readServerSentEvents } from './server-sent-events.ts'

/** One event of the account, or `resync`: events were missed, reload everything. */
export type AccountEvent =
  | { [Kind in AccountEventKind]: { kind: Kind; data: AccountEventData<Kind> } }[AccountEventKind]
  | { kind: 'resync'; data: null }

/** `live`: events arrive; `connecting`: disconnected, retrying; `absent`: the service has no events, poll. */
export type EventsState = 'live' | 'connecting' | 'absent'

type FromLeader = { from: 'leader'; event?: AccountEvent; lastId?: string | null; state?: EventsState }
type FromFollower = { from: 'follower' }

const firstRetryMs = 1_000
const maxRetryMs = 30_000

/**
 * Live events of an account (server-sent events over fetch, so that the key goes in a header). One connection for all
 * tabs of the browser: the tab that holds the lock listens and broadcasts; when it closes, the next one takes over.
 */
export class AccountEvents {
  readonly state = new Signal<EventsState>('connecting')
  readonly #session: Session
  readonly #listeners = new Set<(event: AccountEvent) => void>()
  readonly #abort = new AbortController()
  readonly #channel: BroadcastChannel
  #lastId: string | null = null
  #leads = false

  constructor(session: Session) {
    this.#session = session
    const name = `parley events ${session.environment} ${session.account}`
    this.#channel = new BroadcastChannel(name)
    this.#channel.addEventListener('message', ({ data }: MessageEvent<FromLeader | FromFollower>) =>
      this.#receive(data),
    )
    this.#channel.postMessage({ from: 'follower' } satisfies FromFollower)
    // The lock is released when the tab or this object closes.
    navigator.locks
      .request(name, { signal: this.#abort.signal }, () => this.#lead())
      .catch(() => {
        /* closed while waiting */
      })
  }

  /** Calls `listener` for each event. Returns an unsubscribe function. */
  readonly listen = (listener: (event: AccountEvent) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#abort.abort()
    this.#channel.close()
    this.#listeners.clear()
  }

  #receive(message: FromLeader | FromFollower): void {
    if (message.from === 'follower') {
      // Includes the id to resume from, should this tab become the leader.
      const now = { from: 'leader', state: this.state.get(), lastId: this.#lastId } satisfies FromLeader
      if (this.#leads) this.#channel.postMessage(now)
      return
    }
    if (message.lastId !== undefined) this.#lastId = message.lastId
    if (message.state) this.#setState(message.state)
    if (message.event) this.#emit(message.event)
  }

  async #lead(): Promise<void> {
    this.#leads = true
    this.#setState('connecting')
    let retryMs = firstRetryMs
    while (!this.#abort.signal.aborted) {
      try {
        await this.#listenOnce(() => {
          retryMs = firstRetryMs
        })
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return
        if (error instanceof ApiError && (error.status === 404 || error.status === 405)) {
          this.#setState('absent')
          return
        }
      }
      if (this.#abort.signal.aborted) return
      this.#setState('connecting')
      await this.#pause(retryMs)
      retryMs = Math.min(maxRetryMs, retryMs * 2)
    }
  }

  /** One connection from start to end. A stream silent for three heartbeats is dropped. */
  async #listenOnce(onOpen: () => void): Promise<void> {
    const connection = new AbortController()
    const end = () => connection.abort()
    this.#abort.signal.addEventListener('abort', end)
    let silence = setTimeout(end, 3 * heartbeatMs)
    const onAnything = () => {
      clearTimeout(silence)
      silence = setTimeout(end, 3 * heartbeatMs)
    }
    try {
      const response = await request(this.#session, accountUrl(this.#session.environment, 'events'), {
        signal: connection.signal,
        headers: { Accept: 'text/event-stream', ...(this.#lastId === null ? {} : { 'Last-Event-ID': this.#lastId }) },
      })
      if (!response.body) return
      onOpen()
      this.#setState('live')
      for await (const { id, kind, data } of readServerSentEvents(response.body, onAnything)) {
        if (id !== null) this.#lastId = id
        const event = toEvent(kind, data)
        const passedOn = { from: 'leader', lastId: this.#lastId, ...(event && { event }) } satisfies FromLeader
        this.#channel.postMessage(passedOn)
        if (event) this.#emit(event)
      }
    } finally {
      clearTimeout(silence)
      this.#abort.signal.removeEventListener('abort', end)
      end()
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      const now = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#abort.signal.addEventListener('abort', now, { once: true })
      window.addEventListener('online', now, { once: true, signal: this.#abort.signal })
    })
  }

  #emit(event: AccountEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  #setState(state: EventsState): void {
    if (this.state.get() === state) return
    if (this.#leads) this.#channel.postMessage({ from: 'leader', state } satisfies FromLeader)
    this.state.set(state)
  }
}

/** Parses an event; null if its kind is unknown, for forward compatibility with newer services. */
function toEvent(kind: string, data: string): AccountEvent | null {
  if (kind === streamEventKinds.resync) return { kind: 'resync', data: null }
  if (!(kind in accountEvents)) return null
  const parsed = accountEvents[kind as AccountEventKind].safeParse(JSON.parse(data))
  return parsed.success ? ({ kind, data: parsed.data } as AccountEvent) : null
}

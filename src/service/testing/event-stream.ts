import { accountBasePath, environmentOfKey } from '../../contract/interface/environment.ts'
import { authorization } from './ask-api.ts'

type StreamedEvent = { id: number | null; kind: string; data: unknown }

/** For tests and benches: an open stream of `events`, read like a browser's fetch. */
export type EventStream = {
  status: number
  /** the next event, or null if the stream has ended */
  next(): Promise<StreamedEvent | null>
  /** the next event of a kind, skipping others */
  nextOf(kind: string): Promise<StreamedEvent>
  close(): void
}

function readFrame(text: string): StreamedEvent | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
  const data = field('data')
  if (data === undefined) return null // a comment
  return { id: Number(field('id')) || null, kind: field('event') ?? 'message', data: JSON.parse(data) }
}

/** Opens a stream; `lastEventId` resumes from there. */
export async function openEvents(address: string, key: string, lastEventId?: number): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(`${address}${accountBasePath(environmentOfKey(key) ?? 'live')}events`, {
    headers: {
      authorization: authorization(key),
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
    signal: abort.signal,
  })
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const stream: EventStream = {
    status: response.status,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const event = readFrame(text.slice(0, end))
          text = text.slice(end + 2)
          if (event !== null) return event
          continue
        }
        const { done, value } = await reader.read()
        if (done) return null
        text += value
      }
    },
    async nextOf(kind) {
      for (let event = await stream.next(); event !== null; event = await stream.next()) {
        if (event.kind === kind) return event
      }
      throw new Error(`the stream ended before ${kind}`)
    },
    close: () => abort.abort(),
  }
  return stream
}

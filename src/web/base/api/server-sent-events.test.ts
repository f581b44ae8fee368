import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts'

async function read(pieces: Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  // As in Safari, whose streams cannot be iterated.
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined })
  for await (const event of readServerSentEvents(stream, () => {})) events.push(event)
  return events
}

it('reads events, comments and lines of several kinds', async () => {
  const text =
    ': beat\n\nid: 7\nevent: file-progress\ndata: {"a":1}\n\nevent:x\r\ndata:one\r\ndata: two\r\n\r\ndata: cut'
  expect(await read([new TextEncoder().encode(text)])).toEqual([
    { id: '7', kind: 'file-progress', data: '{"a":1}' },
    { id: null, kind: 'x', data: 'one\ntwo' },
  ])
})

it('reads the same however the stream is chunked', async () => {
  const bytes = new TextEncoder().encode('id: 1\ndata: Zoë 🎙\n\nid: 2\nevent: b\ndata: 2\n\n')
  const expected = await read([bytes])
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat({ max: bytes.length })), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      const pieces = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge))
      expect(await read(pieces)).toEqual(expected)
    }),
  )
})

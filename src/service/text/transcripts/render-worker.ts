import { parentPort } from 'node:worker_threads'
import { type Rendering, render } from './rendering.ts'

/* The thread of large renderings. It makes one at a time, and sends a chunk for each request for `more`. */

export type RenderRequest = { kind: 'begin'; rendering: Rendering } | { kind: 'more' | 'drop' }
export type RenderReply = { chunk: Uint8Array } | { end: true } | { failed: Error }

let chunks: AsyncGenerator<Uint8Array> | null = null

async function answer(asked: RenderRequest): Promise<RenderReply | null> {
  if (asked.kind !== 'more') {
    chunks = asked.kind === 'begin' ? render(asked.rendering) : null
    return null
  }
  try {
    const next = await chunks?.next()
    return next === undefined || next.done === true ? { end: true } : { chunk: next.value }
  } catch (error) {
    return { failed: error instanceof Error ? error : new Error(String(error)) }
  }
}

parentPort?.on('message', async (asked: RenderRequest) => {
  const reply = await answer(asked)
  if (reply !== null) parentPort?.postMessage(reply)
})

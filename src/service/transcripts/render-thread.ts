import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RenderAsk, RenderTell } from './render-worker.ts'
import type { Rendering } from './rendering.ts'

/** A thread without work is let go after this long, and its memory with it. */
const idleMs = 10_000

let thread: Worker | null = null
let idleTimer: NodeJS.Timeout | undefined
let turn: Promise<void> = Promise.resolve()

function startedThread(): Worker {
  if (thread !== null) return thread
  const started = new Worker(join(import.meta.dirname, 'render-worker.ts'))
  started.unref()
  started.once('exit', () => {
    if (thread === started) thread = null
  })
  thread = started
  return started
}

function letGoLater(): void {
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => void thread?.terminate(), idleMs).unref()
}

async function nextChunk(worker: Worker): Promise<Uint8Array | null> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderTell>()
  const ended = () => reject(new Error('The rendering thread has ended.'))
  worker.once('message', resolve).once('error', reject).once('exit', ended)
  try {
    worker.postMessage({ ask: 'more' } satisfies RenderAsk)
    const told = await promise
    if ('failed' in told) throw told.failed
    return 'end' in told ? null : told.chunk
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', ended)
  }
}

/**
 * Makes a rendering in a thread beside, so that other requests do not wait for its arithmetic. One at a time: a day's
 * PDF takes some hundred megabytes. Chunks come as fast as they are taken.
 * @throws what `render` throws
 */
export async function* renderAside(rendering: Rendering): AsyncGenerator<Uint8Array> {
  const before = turn
  const { promise, resolve: done } = Promise.withResolvers<void>()
  turn = promise
  await before
  clearTimeout(idleTimer)
  const worker = startedThread()
  try {
    worker.postMessage({ ask: 'begin', rendering } satisfies RenderAsk)
    for (let chunk = await nextChunk(worker); chunk !== null; chunk = await nextChunk(worker)) yield chunk
  } finally {
    worker.postMessage({ ask: 'drop' } satisfies RenderAsk)
    letGoLater()
    done()
  }
}

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RenderReply, RenderRequest } from './render-worker.ts'
import type { Rendering } from './rendering.ts'

/** An idle thread ends after this long, which frees its memory. */
const idleMs = 10_000
/**
 * With V8's usual young generation, an export held 90 MB more, and took no less time. With its usual old one, ten days of
 * speech in six formats each held 1.2 GB in the place of 0.6. Half a million words, three times a day's, fit.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 512 }

/** A worker thread that renders one transcript at a time; started on demand. */
class RenderThread {
  #worker: Worker | null = null
  #idleTimer: NodeJS.Timeout | undefined
  /** settled once the previous rendering is done */
  #turn: Promise<void> = Promise.resolve()

  async *render(rendering: Rendering): AsyncGenerator<Uint8Array> {
    const before = this.#turn
    const { promise, resolve: done } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    clearTimeout(this.#idleTimer)
    const worker = this.#start()
    try {
      worker.postMessage({ kind: 'begin', rendering } satisfies RenderRequest)
      for (let chunk = await nextChunk(worker); chunk !== null; chunk = await nextChunk(worker)) yield chunk
    } finally {
      worker.postMessage({ kind: 'drop' } satisfies RenderRequest)
      this.#idleTimer = setTimeout(() => this.#end(worker), idleMs).unref()
      done()
    }
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(join(import.meta.dirname, 'render-worker.ts'), { resourceLimits })
    worker.unref()
    // One that runs out of memory between two chunks.
    worker.on('error', () => this.#end(worker))
    worker.once('exit', () => this.#end(worker))
    this.#worker = worker
    return worker
  }

  /** Ends a worker. It takes a while to exit; whatever is rendered in that time gets another one. */
  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null
    void worker.terminate()
  }
}

async function nextChunk(worker: Worker): Promise<Uint8Array | null> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderReply>()
  const onExit = () => reject(new Error('The rendering thread has ended.'))
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  try {
    worker.postMessage({ kind: 'more' } satisfies RenderRequest)
    const reply = await promise
    if ('failed' in reply) throw reply.failed
    return 'end' in reply ? null : reply.chunk
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', onExit)
  }
}

/** One for the whole process: a day's PDF takes some hundred megabytes. */
const thread = new RenderThread()

/**
 * Renders in a thread, so that other requests do not wait for it; queued behind earlier renderings. Chunks are made
 * only as fast as they are read (back-pressure).
 * @throws what `render` throws
 */
export function renderInThread(rendering: Rendering): AsyncGenerator<Uint8Array> {
  return thread.render(rendering)
}

import type { CaptionAnswer, CaptionRequest } from './caption-worker.ts'

/** Makes captions in a worker. A failed one, e.g. one whose code could not be loaded, is replaced at the next attempt. */
export class CaptionMaker {
  #worker: Worker | null = null

  make(request: CaptionRequest): Promise<CaptionAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<CaptionAnswer>()
    this.#worker ??= new Worker(new URL('./caption-worker.ts', import.meta.url), { type: 'module' })
    const worker = this.#worker
    worker.onmessage = ({ data }: MessageEvent<CaptionAnswer>) => resolve(data)
    worker.onerror = (error) => {
      worker.terminate()
      this.#worker = null
      reject(error)
    }
    worker.postMessage(request)
    return promise
  }

  close(): void {
    this.#worker?.terminate()
  }
}

import type { ExportAnswer, ExportRequest } from './export-protocol.ts'

/** Renders the corrected text in a worker of its own. @throws Error where that fails */
export function makeFile(wanted: ExportRequest): Promise<Extract<ExportAnswer, { kind: 'file' }>> {
  const worker = new Worker(new URL('./export-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<Extract<ExportAnswer, { kind: 'file' }>>()
  const failed = () => reject(new Error('The file could not be made.'))
  worker.addEventListener('message', ({ data }: MessageEvent<ExportAnswer>) =>
    data.kind === 'file' ? resolve(data) : failed(),
  )
  worker.addEventListener('error', failed)
  worker.postMessage(wanted)
  return promise.finally(() => worker.terminate())
}

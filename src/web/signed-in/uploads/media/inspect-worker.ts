import type { Inspection } from '../tray/upload.ts'
import { blobSource } from './bytes.ts'
import { inspect } from './inspect.ts'

export type InspectRequest = { id: string; file: Blob; name: string }
export type InspectAnswer = { id: string; inspection: Inspection }

/** Results are posted in batches, so that hundreds of files do not render the tray hundreds of times. */
const batchMs = 60
const maxConcurrent = 4

const queue: InspectRequest[] = []
let running = 0
let batch: InspectAnswer[] = []

function postBatch(): void {
  if (batch.length > 0) self.postMessage(batch)
  batch = []
}

async function inspectNext(): Promise<void> {
  const request = running < maxConcurrent ? queue.shift() : undefined
  if (request === undefined) return
  running += 1
  const inspection = await inspect(blobSource(request.file), request.name)
  if (batch.push({ id: request.id, inspection }) === 1) setTimeout(postBatch, batchMs)
  running -= 1
  void inspectNext()
}

self.onmessage = ({ data }: MessageEvent<InspectRequest[]>) => {
  queue.push(...data)
  for (let started = running; started < maxConcurrent; started += 1) void inspectNext()
}

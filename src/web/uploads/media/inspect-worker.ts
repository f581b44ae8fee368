import type { Inspection } from '../tray/upload.ts'
import { blobSource } from './bytes.ts'
import { inspect } from './inspect.ts'

export type InspectRequest = { id: string; file: Blob; name: string }
export type InspectAnswer = { id: string; inspection: Inspection }

/** Answers go back together, so that hundreds of files do not render the tray hundreds of times. */
const batchMs = 60
const atOnce = 4

const waiting: InspectRequest[] = []
let running = 0
let batch: InspectAnswer[] = []

function flush(): void {
  if (batch.length > 0) self.postMessage(batch)
  batch = []
}

async function next(): Promise<void> {
  const request = running < atOnce ? waiting.shift() : undefined
  if (request === undefined) return
  running += 1
  const inspection = await inspect(blobSource(request.file), request.name)
  if (batch.push({ id: request.id, inspection }) === 1) setTimeout(flush, batchMs)
  running -= 1
  void next()
}

self.onmessage = ({ data }: MessageEvent<InspectRequest[]>) => {
  waiting.push(...data)
  for (let started = running; started < atOnce; started += 1) void next()
}

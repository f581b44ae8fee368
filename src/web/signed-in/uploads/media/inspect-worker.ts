import type { Inspection } from '../tray/upload.ts'
import { blobSource } from './bytes.ts'
import { inspect } from './inspect.ts'

export type InspectRequest = { id: string; file: Blob; name: string }
/** The second of a recording comes later, and only changes what is said of its sound. */
export type InspectAnswer = { id: string } & ({ inspection: Inspection } | { isSplit: true })

/** Results are posted in batches, so that hundreds of files do not render the tray hundreds of times. */
const batchMs = 60
const maxConcurrent = 4

const queue: InspectRequest[] = []
/** Recordings that are read: their channels are heard once no other one waits for its price. */
const unheard: { id: string; file: Blob; inspection: Inspection }[] = []
let running = 0
let isHearing = false
let batch: InspectAnswer[] = []

function postBatch(): void {
  if (batch.length > 0) self.postMessage(batch)
  batch = []
}

function post(answer: InspectAnswer): void {
  if (batch.push(answer) === 1) setTimeout(postBatch, batchMs)
}

async function inspectNext(): Promise<void> {
  const request = running < maxConcurrent ? queue.shift() : undefined
  if (request === undefined) return await hearNext()
  running += 1
  const { id, file, name } = request
  const inspection = await inspect(blobSource(file), name)
  post({ id, inspection })
  unheard.push({ id, file, inspection })
  running -= 1
  void inspectNext()
}

async function hearNext(): Promise<void> {
  const recording = running > 0 || isHearing ? undefined : unheard.shift()
  if (recording === undefined) return
  isHearing = true
  // Without a line its code does not come; all else is known.
  const speakers = await import('./two-speakers.ts').catch(() => null)
  const isSplit = await speakers?.isOfTwoSpeakers(blobSource(recording.file), recording.inspection)
  if (isSplit) post({ id: recording.id, isSplit })
  isHearing = false
  void hearNext()
}

self.onmessage = ({ data }: MessageEvent<InspectRequest[]>) => {
  queue.push(...data)
  for (let started = running; started < maxConcurrent; started += 1) void inspectNext()
}

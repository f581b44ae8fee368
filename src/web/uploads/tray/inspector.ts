import { blobSource } from '../media/bytes.ts'
import { inspect, unreadable } from '../media/inspect.ts'
import type { InspectAnswer, InspectRequest } from '../media/inspect-worker.ts'
import { playerLength } from '../media/player-length.ts'
import { lines } from '../uploads.ts'
import type { Inspection, Line } from './line.ts'

let worker: Worker | null = null
/** The worker could not be loaded: files are read here then, one after the other. */
let isWithoutWorker = false
const unanswered = new Map<string, InspectRequest>()
let lastPlayed: Promise<unknown> = Promise.resolve()

/** Loads the worker ahead, so that files can be read though the connection is gone by then. */
export function prepareInspector(): void {
  if (worker !== null) return
  worker = new Worker(new URL('../media/inspect-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<InspectAnswer[]>) => take(data)
  worker.onerror = () => {
    isWithoutWorker = true
    void readHere([...unanswered.values()])
  }
}

function take(answers: readonly InspectAnswer[]): void {
  const found = new Map(answers.map(({ id, inspection }) => [id, inspection]))
  for (const id of found.keys()) unanswered.delete(id)
  lines.change([...found.keys()], (line) => ({
    inspection: withRecordedLength(line, found.get(line.id) ?? unreadable),
  }))
  for (const id of found.keys()) if (needsPlayer(lines.get(id)?.inspection ?? unreadable)) askPlayer(id)
}

async function readHere(requests: readonly InspectRequest[]): Promise<void> {
  for (const { id, file, name } of requests) take([{ id, inspection: await inspect(blobSource(file), name) }])
}

function withRecordedLength({ source }: Line, inspection: Inspection): Inspection {
  const recordedMs = source.kind === 'file' ? source.recordedMs : null
  return recordedMs === null ? inspection : { ...inspection, durationMs: inspection.durationMs ?? recordedMs }
}

const needsPlayer = (inspection: Inspection): boolean =>
  inspection.format !== null && inspection.durationMs === null && inspection.hasSound !== false

/** One at a time: each player holds a decoder. */
function askPlayer(id: string): void {
  lastPlayed = lastPlayed.then(async () => {
    const line = lines.get(id)
    if (line?.source.kind !== 'file' || line.source.file === null || line.inspection === null) return
    const durationMs = await playerLength(line.source.file, line.inspection.kind ?? 'audio')
    if (durationMs !== null) {
      lines.change([id], ({ inspection }) => (inspection === null ? {} : { inspection: { ...inspection, durationMs } }))
    }
  })
}

/** Reads format, length, sound and fingerprint of lines off the main thread; the lines change as answers come in. */
export function inspectLines(added: readonly Line[]): void {
  const requests: InspectRequest[] = added.flatMap(({ id, name, source }) =>
    source.kind === 'file' && source.file !== null ? [{ id, file: source.file, name }] : [],
  )
  for (const request of requests) unanswered.set(request.id, request)
  prepareInspector()
  if (isWithoutWorker) void readHere(requests)
  else worker?.postMessage(requests)
}

import type { Inspection, Line } from './line.ts'
import { unreadable } from './media/inspect.ts'
import type { InspectAnswer, InspectRequest } from './media/inspect-worker.ts'
import { playerLength } from './media/player-length.ts'
import { lines } from './uploads.ts'

let worker: Worker | null = null
let lastPlayed: Promise<unknown> = Promise.resolve()

function startWorker(): Worker {
  const started = new Worker(new URL('./media/inspect-worker.ts', import.meta.url), { type: 'module' })
  started.onmessage = ({ data }: MessageEvent<InspectAnswer[]>) => {
    const found = new Map(data.map(({ id, inspection }) => [id, inspection]))
    lines.change([...found.keys()], (line) => ({
      inspection: withRecordedLength(line, found.get(line.id) ?? unreadable),
    }))
    for (const id of found.keys()) if (needsPlayer(lines.get(id)?.inspection ?? unreadable)) askPlayer(id)
  }
  return started
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
  worker ??= startWorker()
  worker.postMessage(requests)
}

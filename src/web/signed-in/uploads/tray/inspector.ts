import { blobSource } from '../media/bytes.ts'
import { inspect, unreadable } from '../media/inspect.ts'
import type { InspectAnswer, InspectRequest } from '../media/inspect-worker.ts'
import type { Inspection, Upload } from './upload.ts'
import type { UploadList } from './upload-list.ts'

/** Reads format, length, sound and fingerprint of recordings in a worker, and stores them in the list. */
export class Inspector {
  readonly #uploads: UploadList
  readonly #onInspected: () => void
  #worker: Worker | null = null
  /** The worker failed to load: files are then read on the main thread, one by one. */
  #isWithoutWorker = false
  readonly #unanswered = new Map<string, InspectRequest>()

  /** @param onInspected called after results have been stored */
  constructor(uploads: UploadList, onInspected: () => void) {
    this.#uploads = uploads
    this.#onInspected = onInspected
  }

  /** Preloads the worker, so that files can be read even if the connection is lost by then. */
  prepare(): void {
    if (this.#worker !== null) return
    this.#worker = new Worker(new URL('../media/inspect-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.onmessage = ({ data }: MessageEvent<InspectAnswer[]>) => this.#apply(data)
    this.#worker.onerror = () => {
      this.#isWithoutWorker = true
      void this.#inspectHere([...this.#unanswered.values()])
    }
  }

  /** Inspects the files of uploads; the list changes as results arrive. Links are skipped. */
  inspect(uploads: readonly Upload[]): void {
    const requests: InspectRequest[] = uploads.flatMap(({ id, name, source }) =>
      source.kind === 'file' && source.file !== null ? [{ id, file: source.file, name }] : [],
    )
    for (const request of requests) this.#unanswered.set(request.id, request)
    this.prepare()
    if (this.#isWithoutWorker) void this.#inspectHere(requests)
    else this.#worker?.postMessage(requests)
  }

  async #inspectHere(requests: readonly InspectRequest[]): Promise<void> {
    for (const { id, file, name } of requests) this.#apply([{ id, inspection: await inspect(blobSource(file), name) }])
  }

  #apply(answers: readonly InspectAnswer[]): void {
    const read = new Map(answers.flatMap((answer) => ('inspection' in answer ? [[answer.id, answer.inspection]] : [])))
    for (const id of read.keys()) this.#unanswered.delete(id)
    this.#uploads.change([...read.keys()], (upload) => ({
      inspection: withRecordedLength(upload, read.get(upload.id) ?? unreadable),
    }))
    const split = answers.flatMap((answer) => ('isSplit' in answer ? [answer.id] : []))
    this.#uploads.change(split, ({ inspection }) => ({ inspection: inspection && { ...inspection, isSplit: true } }))
    if (read.size > 0) this.#onInspected()
  }
}

function withRecordedLength({ source }: Upload, inspection: Inspection): Inspection {
  const recordedMs = source.kind === 'file' ? source.recordedMs : null
  return recordedMs === null ? inspection : { ...inspection, durationMs: inspection.durationMs ?? recordedMs }
}

import type { CaptionRules } from '../../formats/captions/caption-rules.ts'
import type { ExportFormat } from '../../formats/format-table.ts'
import type { Transcript } from '../../formats/transcript.ts'
import { ApiError, type Session } from '../api/client.ts'
import type { FileRecord } from '../api/metadata-reader.ts'

/** A transcript without its words. */
export type About = Omit<Transcript, 'turns' | 'speakers'>

/** What a file is made from: a text as posted by its page, or the service's with corrections that were not sent to it. */
type Source =
  | { kind: 'table'; table: unknown; names: readonly string[] }
  | { kind: 'unsent'; session: Session; id: string }
export type MakeRequest = Source & { about: About; format: ExportFormat; captions?: CaptionRules }

/** `warnings`: captions that break the limits asked for; `left`: corrections that do not fit a newer transcript. */
type MadeFile = { content: Blob; warnings: number; left: number }
export type MakeAnswer =
  | ({ kind: 'file' } & MadeFile)
  | { kind: 'nothing unsent' }
  | { kind: 'failed'; status: number; message: string; retryAfterMs: number | null }

/**
 * Renders a file in a worker of its own; null where this device has no `unsent` corrections.
 * @throws ApiError where that fails
 */
export function makeFile(wanted: MakeRequest): Promise<MadeFile | null> {
  const worker = new Worker(new URL('../transcript/export/export-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<MadeFile | null>()
  worker.addEventListener('message', ({ data }: MessageEvent<MakeAnswer>) => {
    if (data.kind === 'failed') reject(new ApiError(data.status, data.message, data))
    else resolve(data.kind === 'file' ? data : null)
  })
  worker.addEventListener('error', () => reject(new ApiError(0, 'The file could not be created.')))
  worker.postMessage(wanted)
  return promise.finally(() => worker.terminate())
}

/** What a file's formats say of it beside its words. */
export function aboutOf({ metadata, seconds, percent }: FileRecord): About {
  return {
    title: metadata.name,
    options: metadata.options,
    created: metadata.created,
    durationMs: Math.round(seconds * 1_000),
    progressPercent: percent,
  }
}

import type { OrderOptions } from '../../contract/option-values.ts'
import type { CaptionRules } from '../../formats/captions/caption-rules.ts'
import type { PageDrawing } from '../../formats/documents/pdf/first-page.ts'
import type { ExportFormat } from '../../formats/format-table.ts'
import type { Transcript } from '../../formats/transcript.ts'
import { ApiError, type Session } from '../api/client.ts'
import type { FileRecord } from '../api/metadata-reader.ts'

/** A transcript without its words. */
export type About = Omit<Transcript, 'turns' | 'speakers'>

/**
 * What a file is made from: a text as posted by its page, or the service's: as it is, with all corrections, or only where
 * some were not sent. `ordered`: the options that the service's text is laid out by.
 */
export type Source =
  | { kind: 'table'; table: unknown; names: readonly string[] }
  | { kind: 'original' | 'corrected' | 'unsent'; session: Session; id: string; ordered: OrderOptions }
export type MakeRequest = Source & { about: About; format: ExportFormat; captions?: CaptionRules }

/**
 * `warnings`: captions that break the limits asked for; `left`: corrections that do not fit a newer transcript; `names`:
 * who speaks.
 */
export type MadeFile = {
  content: Blob
  warnings: number
  left: number
  names: readonly string[]
  isCorrected: boolean
}
/** How a file begins: the first page of a document as a drawing, else the first lines. */
export type Preview = { page: PageDrawing } | { page: null; text: string }
export type MakeAnswer =
  | { kind: 'file'; file: MadeFile }
  | { kind: 'preview'; preview: Preview }
  | { kind: 'nothing unsent' }
  | { kind: 'failed'; status: number; message: string; retryAfterMs: number | null }

export type MakeOrder = { wanted: MakeRequest; isPreview: boolean }

/**
 * Renders a file in a worker of its own; null where this device has no `unsent` corrections.
 * @throws ApiError where that fails
 */
export async function makeFile(wanted: MakeRequest): Promise<MadeFile | null> {
  const answer = await askWorker(wanted, false)
  return answer.kind === 'file' ? answer.file : null
}

/** Renders how a file begins, by what would make the file. @throws ApiError where that fails */
export async function previewFile(wanted: MakeRequest): Promise<Preview | null> {
  const answer = await askWorker(wanted, true)
  return answer.kind === 'preview' ? answer.preview : null
}

function askWorker(wanted: MakeRequest, isPreview: boolean): Promise<MakeAnswer> {
  const worker = new Worker(new URL('../transcript/export/export-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<MakeAnswer>()
  worker.addEventListener('message', ({ data }: MessageEvent<MakeAnswer>) => {
    if (data.kind === 'failed') reject(new ApiError(data.status, data.message, data))
    else resolve(data)
  })
  worker.addEventListener('error', () => reject(new ApiError(0, 'The file could not be created.')))
  worker.postMessage({ wanted, isPreview } satisfies MakeOrder)
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

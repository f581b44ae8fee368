import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import type { PageDrawing } from '../../../formats/documents/pdf/first-page.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import type { Transcript } from '../../../text/transcript.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { preferences } from '../../signed-in/preferences/preferences.ts'

/** A transcript without its words. `isRenamed`: its title is the account's label, which the service's files lack. */
export type About = Omit<Transcript, 'turns' | 'speakers'> & { isRenamed?: boolean }

/**
 * The source of a file: a text posted by its page, or the service's: unchanged, with all corrections, or only if some
 * are unsent. `ordered`: the options that lay out the service's text.
 */
export type Source =
  | { kind: 'table'; table: unknown; names: readonly string[] }
  | { kind: 'original' | 'corrected' | 'unsent'; session: Session; id: string; ordered: OrderOptions }
export type MakeRequest = Source & { about: About; format: ExportFormat; captions?: CaptionRules }

/**
 * `warnings`: captions that violate the requested limits; `left`: corrections that do not fit a newer transcript;
 * `names`: the speakers.
 */
export type MadeFile = {
  content: Blob
  warnings: number
  left: number
  names: readonly string[]
  isCorrected: boolean
}
/** A preview: the first page of a document as a drawing, else the first lines. */
export type Preview = { page: PageDrawing } | { page: null; text: string }
export type MakeAnswer =
  | { kind: 'file'; file: MadeFile }
  | { kind: 'preview'; preview: Preview }
  | { kind: 'gathered' }
  | { kind: 'nothing unsent' }
  | { kind: 'failed'; status: number; message: string; retryAfterMs: number | null }

/** `hasSemicolons`: separate the cells of CSV. `gather` collects a text for the document that `join` makes of all `count` of them. */
export type MakeOrder = { hasSemicolons?: boolean } & (
  | { task: 'file' | 'preview' | 'gather'; wanted: MakeRequest }
  | { task: 'join'; format: ExportFormat; count: number; missing: readonly string[] }
)

/**
 * Renders a file in the maker's worker, else in a new one; null if `unsent` corrections are requested and there are
 * none.
 * @throws ApiError if that fails
 */
export async function makeFile(wanted: MakeRequest, maker?: Maker): Promise<MadeFile | null> {
  const answer = await (maker?.ask ?? askWorker)({ task: 'file', wanted })
  return answer.kind === 'file' ? answer.file : null
}

/** Renders a preview with the same code as the file. @throws ApiError if that fails */
export async function previewFile(wanted: MakeRequest): Promise<Preview | null> {
  const answer = await askWorker({ task: 'preview', wanted })
  return answer.kind === 'preview' ? answer.preview : null
}

function askWorker(order: MakeOrder): Promise<MakeAnswer> {
  const maker = startMaker()
  return maker.ask(order).finally(maker.close)
}

/**
 * A worker that renders files and keeps gathered texts until it is closed or fails to load. It takes one request at a
 * time and starts lazily.
 */
export type Maker = {
  /** @throws ApiError if that fails; the signal's reason if it is aborted */
  ask: (order: MakeOrder, signal?: AbortSignal) => Promise<MakeAnswer>
  close: () => void
}

export function startMaker(): Maker {
  let worker: Worker | null = null
  const close = () => {
    worker?.terminate()
    worker = null
  }
  const ask: Maker['ask'] = (order, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<MakeAnswer>()
    worker ??= new Worker(new URL('./export-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<MakeAnswer>) => {
      if (data.kind === 'failed') reject(new ApiError(data.status, data.message, data))
      else resolve(data)
    }
    worker.onerror = () => {
      close()
      reject(new ApiError(0, 'The file could not be created.'))
    }
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.postMessage({ ...order, hasSemicolons: preferences.get().csvSeparator === 'semicolon' })
    return promise
  }
  return { ask, close }
}

/** A file's data for its formats, apart from its words. */
export function describeFile({ metadata, seconds, percent, labels }: FileRecord): About {
  return {
    title: metadata.name,
    options: metadata.options,
    created: metadata.created,
    durationMs: Math.round(seconds * 1_000),
    progressPercent: percent,
    ...(labels?.name && { isRenamed: true }),
    ...(labels?.begins_at_seconds !== undefined && { beginsAtSeconds: labels.begins_at_seconds }),
  }
}

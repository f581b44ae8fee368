import type { DetailedError, HttpResponse, Upload } from 'tus-js-client'
import { fileId } from '../../../contract/interface/metadata.ts'
import { uploadedFileHeader, uploadsBasePath } from '../../../contract/interface/resumable-uploads.ts'
import { authorization } from './authorization.ts'
import { ApiError, type Credentials, readJson, reportRefusedKey, request, toApiError } from './client.ts'
import type { NewOrder, SendOptions } from './send-file.ts'

export type ResumableOrder = {
  file: Blob
  name: string
  mimeType: string
  query: string
  idempotencyKey: string
  /** price limit; the one of a retry applies to what an earlier attempt has sent (decision 87) */
  maxTotalCents: number | null
  maxTopUpCents: NewOrder['maxTopUpCents']
  freeMs: NewOrder['freeMs']
  preset: string | null
  project: NewOrder['project']
  sound: NewOrder['sound']
  batch: NewOrder['batch']
  refusesKnown: NewOrder['refusesKnown']
  /** URL where an earlier attempt stopped, or null */
  resumeUrl: string | null
}

export type ResumeOptions = SendOptions & {
  /** receives the URL to resume from after an interruption */
  onUrl: (url: string) => void
}

function fromTusError(error: Error | DetailedError): ApiError {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (!response?.getStatus()) return new ApiError(0, 'The connection dropped.', { cause: error })
  return toApiError(response.getStatus(), response.getBody(), (name) => response.getHeader(name), error)
}

/**
 * The source that tus reads. A whole file is passed as is: a slice costs three times the processor time (send-file.ts).
 */
function openSource(file: Blob) {
  const { size } = file
  return {
    size,
    slice: async (start: number, end: number) => ({
      value: start === 0 && end >= size ? file : file.slice(start, end),
      done: end >= size,
    }),
    close: () => undefined,
  }
}

/** Sends the missing bytes. @returns the last response, and the upload's URL */
async function transfer(credentials: Credentials, order: ResumableOrder, options: ResumeOptions) {
  const tus = await import('tus-js-client')
  const { signal } = options
  signal.throwIfAborted()
  let upload: Upload | undefined
  const stop = () => void upload?.abort()
  signal.addEventListener('abort', stop)
  return new Promise<{ answer: HttpResponse; url: string }>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('The upload was stopped.', 'AbortError')))
    upload = new tus.Upload(order.file, {
      endpoint: new URL(uploadsBasePath(credentials.environment), window.location.origin).href,
      uploadUrl: order.resumeUrl,
      headers: { Authorization: authorization(credentials.key) },
      metadata: {
        filename: order.name,
        filetype: order.mimeType,
        options: order.query.slice(1),
        idempotency_key: order.idempotencyKey,
        ...(order.maxTotalCents !== null && { max_total_cents: String(order.maxTotalCents) }),
        ...(order.maxTopUpCents !== null && { max_top_up_cents: String(order.maxTopUpCents) }),
        ...(order.freeMs !== null && { free_seconds: String(order.freeMs / 1_000) }),
        ...(order.preset !== null && { preset: order.preset }),
        ...(order.project !== null && { project: order.project.id }),
        ...(order.sound !== null && { sound: order.sound }),
        ...(order.batch !== null && { batch: order.batch }),
        ...(order.project?.overBudget && { over_budget: 'yes' }),
        ...(order.refusesKnown && { known_recording: 'refuse' }),
      },
      // Retries are scheduled by the queue; the upload itself remembers the URL.
      retryDelays: null,
      fileReader: { openFile: async (file: Blob) => openSource(file) },
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => options.onUrl(upload?.url ?? ''),
      onProgress: (sentBytes) => {
        options.onProgress(sentBytes)
        if (sentBytes >= order.file.size) options.onSent()
      },
      onSuccess: ({ lastResponse }) => resolve({ answer: lastResponse, url: upload?.url ?? '' }),
      onError: reject,
    })
    upload.start()
  }).finally(() => signal.removeEventListener('abort', stop))
}

/**
 * Sends a recording by tus 1.0, resuming an earlier attempt, and returns the id of the ordered file. Replaces {@link
 * sendFile} if the service offers resumable uploads.
 * @throws ApiError with the status of the response, 0 if there is none; AbortError if `signal` aborts it
 */
export async function resumeFile(
  credentials: Credentials,
  order: ResumableOrder,
  options: ResumeOptions,
): Promise<string> {
  let sent: { answer: HttpResponse; url: string }
  try {
    sent = await transfer(credentials, order, options)
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError') throw error
    const apiError = fromTusError(error)
    if (apiError.status === 401) reportRefusedKey(credentials)
    throw apiError
  }
  const id = sent.answer.getHeader(uploadedFileHeader)
  if (id) return id
  // Complete, but the order's response was lost or a refusal that no longer applies: ask without sending again.
  options.onSent()
  const headers: HeadersInit = {
    'Known-Recording': order.refusesKnown ? 'refuse' : 'order',
    ...(order.maxTotalCents !== null && { 'Max-Total-Cents': String(order.maxTotalCents) }),
    ...(order.maxTopUpCents !== null && { 'Max-Top-Up-Cents': String(order.maxTopUpCents) }),
  }
  const response = await request(credentials, `${sent.url}/order`, { method: 'POST', headers, signal: options.signal })
  return (await readJson(response, fileId)).id
}

/** Frees what an abandoned upload holds on the service. Ignores failures: it expires automatically. */
export async function forgetUpload(credentials: Credentials, url: string): Promise<void> {
  const headers = { 'Tus-Resumable': '1.0.0' }
  await request(credentials, url, { method: 'DELETE', headers }).catch(() => undefined)
}

import { fileId } from '../../../contract/interface/metadata.ts'
import { apiUrl } from './addresses.ts'
import { authorization } from './authorization.ts'
import { ApiError, type Credentials, reportRefusedKey, toApiError, unknownForm } from './client.ts'

export type NewOrder = {
  /** the recording and the MIME type to declare, or a public link to one (spec 4.2) */
  body: { file: Blob; name: string; mimeType: string } | { link: string }
  /** options from `?`, as `orderQuery` writes them */
  query: string
  idempotencyKey: string
  /** above this nothing is ordered (decision 87); null: no limit */
  maxTotalCents: number | null
  /** the preset whose vocabulary is for it, too (decision 89); null: none */
  preset: string | null
  /** where it goes, and whether over its budget, too (decision 99); null: into no project */
  project: { id: string; overBudget: boolean } | null
}

export type SendOptions = {
  signal: AbortSignal
  /** bytes of the file that the browser has handed over; never more than the file has */
  onProgress: (sentBytes: number) => void
  /** everything is sent: from here on only the service knows what becomes of it */
  onSent: () => void
}

/**
 * A file of that type. The file itself where it has it: Chromium reads it from the disk then, but a slice through its
 * store of blobs, at three times the processor time.
 */
const typed = (file: Blob, mimeType: string): Blob =>
  file.type === mimeType ? file : file.slice(0, file.size, mimeType)

function formOf(body: NewOrder['body']): FormData {
  const form = new FormData()
  if ('link' in body) form.append('link', body.link)
  else form.append('file', typed(body.file, body.mimeType), body.name)
  return form
}

function parseFileId(responseText: string): string {
  try {
    return fileId.parse(JSON.parse(responseText)).id
  } catch (cause) {
    throw new ApiError(201, unknownForm, { cause })
  }
}

/**
 * `POST files` (spec 4.2) with progress: the only XMLHttpRequest, since fetch cannot tell how much it has sent. There is
 * no total time-out: a slow line may take a day.
 * @returns the id of the file that was ordered
 * @throws ApiError with the status of the answer, 0 if there is none; AbortError where `signal` ended it
 */
export function sendFile(credentials: Credentials, order: NewOrder, options: SendOptions): Promise<string> {
  const { signal, onProgress, onSent } = options
  signal.throwIfAborted()
  const fileBytes = 'file' in order.body ? order.body.file.size : 0
  const xhr = new XMLHttpRequest()
  const stop = () => xhr.abort()
  signal.addEventListener('abort', stop)
  return new Promise<string>((resolve, reject) => {
    xhr.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, fileBytes))
    xhr.upload.onload = () => onSent()
    xhr.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    xhr.onerror = () => reject(new ApiError(0, 'The connection dropped.'))
    xhr.onload = () => {
      if (xhr.status === 401) reportRefusedKey(credentials)
      const { status, responseText } = xhr
      if (status < 200 || status > 299) {
        return reject(toApiError(status, responseText, xhr.getResponseHeader('Retry-After')))
      }
      try {
        resolve(parseFileId(responseText))
      } catch (error) {
        reject(error)
      }
    }
    xhr.open('POST', apiUrl(credentials.environment, `files${order.query}`))
    xhr.setRequestHeader('Authorization', authorization(credentials.key))
    xhr.setRequestHeader('Idempotency-Key', order.idempotencyKey)
    if (order.maxTotalCents !== null) xhr.setRequestHeader('Max-Total-Cents', String(order.maxTotalCents))
    if (order.preset !== null) xhr.setRequestHeader('Order-Preset', encodeURIComponent(order.preset))
    if (order.project !== null) xhr.setRequestHeader('Order-Project', order.project.id)
    if (order.project?.overBudget) xhr.setRequestHeader('Over-Budget', 'yes')
    xhr.send(formOf(order.body))
  }).finally(() => signal.removeEventListener('abort', stop))
}

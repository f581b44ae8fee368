import { fileId } from '../../../contract/interface/metadata.ts'
import type { OrderSound } from '../../../contract/interface/order-sound.ts'
import { apiUrl } from './addresses.ts'
import { authorization } from './authorization.ts'
import { ApiError, type Credentials, reportRefusedKey, toApiError, unknownForm } from './client.ts'

export type NewOrder = {
  /** the recording and the MIME type to declare, or a public link to one (spec 4.2) */
  body: { file: Blob; name: string; mimeType: string } | { link: string }
  /** options from `?`, as `orderQuery` writes them */
  query: string
  idempotencyKey: string
  /** price limit, above which nothing is ordered (decision 87); null: no limit */
  maxTotalCents: number | null
  /** what the card may pay in for it and its batch, as was shown (decision 149); null: what it takes */
  maxTopUpCents: number | null
  /** free milliseconds that its price counts on (decision 144); null: as many as there are */
  freeMs: number | null
  /** the preset whose vocabulary also applies (decision 89); null: none */
  preset: string | null
  /** target project, and whether its budget may be exceeded (decision 99); null: no project */
  project: { id: string; overBudget: boolean } | null
  /** what is heard of the recording (decision 123); null: nothing in particular */
  sound: OrderSound | null
  /** nothing is ordered if the account has the recording already */
  refusesKnown: boolean
  /** names what is ordered together; null: ordered alone */
  batch: string | null
}

export type SendOptions = {
  signal: AbortSignal
  /** bytes of the file handed over by the browser; never more than the file has */
  onProgress: (sentBytes: number) => void
  /** everything is sent: from here on only the service knows the outcome */
  onSent: () => void
}

/**
 * A file with a MIME type. Returns the file itself if it already has that: Chromium then reads it from disk, but a
 * slice through its blob store, at three times the processor time.
 */
const typed = (file: Blob, mimeType: string): Blob =>
  file.type === mimeType ? file : file.slice(0, file.size, mimeType)

function buildForm(body: NewOrder['body']): FormData {
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
 * `POST files` (spec 4.2) with progress: the only XMLHttpRequest, since fetch cannot report upload progress. There is
 * no total timeout: a slow line may take a day.
 * @returns the id of the ordered file
 * @throws ApiError with the status of the response, 0 if there is none; AbortError if `signal` aborts it
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
        return reject(toApiError(status, responseText, (name) => xhr.getResponseHeader(name)))
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
    if (order.maxTopUpCents !== null) xhr.setRequestHeader('Max-Top-Up-Cents', String(order.maxTopUpCents))
    if (order.freeMs !== null) xhr.setRequestHeader('Free-Seconds', String(order.freeMs / 1_000))
    if (order.refusesKnown) xhr.setRequestHeader('Known-Recording', 'refuse')
    if (order.preset !== null) xhr.setRequestHeader('Order-Preset', encodeURIComponent(order.preset))
    if (order.project !== null) xhr.setRequestHeader('Order-Project', order.project.id)
    if (order.sound !== null) xhr.setRequestHeader('Order-Sound', order.sound)
    if (order.batch !== null) xhr.setRequestHeader('Order-Batch', order.batch)
    if (order.project?.overBudget) xhr.setRequestHeader('Over-Budget', 'yes')
    xhr.send(buildForm(order.body))
  }).finally(() => signal.removeEventListener('abort', stop))
}

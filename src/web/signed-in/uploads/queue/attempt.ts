import {
  knownFileHeader,
  orderDurationHeader,
  orderTopUpHeader,
  orderTotalHeader,
} from '../../../../contract/interface/headers.ts'
import { ApiError, type Credentials } from '../../../base/api/client.ts'
import { paymentPage } from '../../../base/api/payment-page.ts'
import { FileProblem, fileToSend } from '../tray/file-to-send.ts'
import type { Agreement, Owner, Upload } from '../tray/upload.ts'
import type { Abilities, QueuePorts } from './queue-ports.ts'
import { mayHaveArrived, progress, sendingState, type Transfer } from './transfer.ts'
import type { UploadFailure } from './upload-failure.ts'

/** The service forgets an Idempotency-Key after this (decision 7); from then on only its list shows the outcome. */
const keyLifetimeMs = 24 * 60 * 60 * 1_000

/** A running attempt to send an upload. */
export type Running = {
  readonly controller: AbortController
  transfer: Transfer
  readonly owner: Owner
  readonly resumes: boolean
  /** an earlier attempt that may have reached the service, as `unclearSince` of the upload */
  readonly unclearBefore: number | null
  /** why it was aborted locally, if it was */
  why: 'removed' | 'held' | null
}

export type AgreedUpload = Upload & { readonly agreement: Agreement }

/**
 * Sends an upload once and records its state in the list.
 * @throws ApiError, FileProblem, or AbortError if `running` was aborted
 */
export async function attempt(
  ports: QueuePorts,
  upload: AgreedUpload,
  credentials: Credentials,
  abilities: Abilities,
  running: Running,
): Promise<void> {
  const { uploads, now } = ports
  const { signal } = running.controller
  const mustAsk = upload.unclearSince !== null && (!abilities.knowsKeys || now() - upload.unclearSince > keyLifetimeMs)
  if (mustAsk && (await failIfFound(ports, upload, credentials))) return
  uploads.change([upload.id], { state: sendingState(running.transfer, now()) })
  const file = await fileToSend(upload)
  if (!abilities.knowsKeys && upload.idsBefore === null) {
    uploads.change([upload.id], { idsBefore: await ports.listIds(credentials) })
  }
  // Saved before the first byte, so that no reload can ever send it under another key.
  uploads.change([upload.id], { unclearSince: upload.unclearSince ?? now() })
  await ports.save()
  signal.throwIfAborted()
  const fileId = await ports.send(credentials, upload, file, {
    signal,
    resumes: abilities.resumes,
    onUrl: (resumeUrl) =>
      uploads.change([upload.id], (before) => (before.resumeUrl === resumeUrl ? {} : { resumeUrl, heldBytes: 0 })),
    onProgress: (sentBytes) => {
      running.transfer = progress(running.transfer, now(), sentBytes)
    },
    onSent: () => {
      running.transfer = { ...running.transfer, isSent: true }
      uploads.change([upload.id], { state: { is: 'confirming', since: now() } })
    },
  })
  uploads.change([upload.id], { state: { is: 'ordered', fileId }, unclearSince: null })
  ports.onOrdered(upload, fileId)
}

/** Searches the account for a file that may be this upload, and if there is one, fails the upload with it. */
export async function failIfFound(
  { uploads, findExisting }: QueuePorts,
  upload: Upload,
  credentials: Credentials,
): Promise<boolean> {
  uploads.change([upload.id], { state: { is: 'checking' } })
  const existing = await findExisting(credentials, upload)
  if (existing === null) return false
  uploads.change([upload.id], { state: { is: 'failed', failure: { kind: 'found', ...existing } } })
  return true
}

/** Why an attempt failed: the service's response, the file on disk, or the connection. */
export async function explainFailure(upload: Upload, transfer: Transfer, error: unknown): Promise<UploadFailure> {
  const answered = error instanceof ApiError ? explainAnswer(upload, error) : null
  if (answered !== null) return answered
  const fileProblem = error instanceof FileProblem ? error : await checkFile(upload)
  if (fileProblem !== null) return fileProblem.failure
  if (!(error instanceof ApiError)) throw error
  return mayHaveArrived(transfer) ? { kind: 'unclear' } : { kind: 'dropped', sentBytes: transfer.sentBytes }
}

/** Why the service refused; null if it did not answer. */
function explainAnswer(upload: Upload, error: ApiError): UploadFailure | null {
  const { status, message, header } = error
  if (header(orderTotalHeader)) return askPrice(upload, error)
  const topUp = header(orderTopUpHeader)
  if (topUp) return { kind: 'top-up', topUpCents: Number(topUp), currency: upload.agreement?.currency ?? '' }
  const known = header(knownFileHeader)
  if (known) return { kind: 'known', fileId: known }
  const page = paymentPage(error)
  if (page !== null) return { kind: 'asked', page }
  return status > 0 ? { kind: 'refused', status, message } : null
}

function askPrice({ agreement, inspection }: Upload, { header }: ApiError): UploadFailure {
  const { maxTotalCents, currency = '' } = agreement ?? {}
  const shownMs = inspection?.durationMs ?? null
  const [totalCents = Number.NaN, durationMs = Number.NaN] = [orderTotalHeader, orderDurationHeader].map((name) =>
    Number(header(name)),
  )
  return { kind: 'dearer', totalCents, durationMs, limitCents: maxTotalCents ?? Number.NaN, currency, shownMs }
}

/** Browsers abort an upload without a reason if its file changes on disk, so the file is checked afterwards. */
async function checkFile(upload: Upload): Promise<FileProblem | null> {
  try {
    await fileToSend(upload)
    return null
  } catch (error) {
    if (error instanceof FileProblem) return error
    throw error
  }
}

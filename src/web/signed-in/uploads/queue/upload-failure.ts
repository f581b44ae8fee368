import { clockText } from '../../../base/ui/duration.ts'
import { moneyText } from '../../../base/ui/money.ts'
import { sizeText } from '../../../base/ui/sizes.ts'
import { datesNow } from '../../preferences/preferred-dates.ts'

/** Why an upload ended without an order, as data that survives a reload. */
export type UploadFailure =
  /** the service responded with an error, which never charges (spec 7) */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** the bank asks the cardholder to confirm the payment on this page (decision 136) */
  | { readonly kind: 'asked'; readonly page: string }
  | PriceQuestion
  /** the balance was spent meanwhile: the card would pay in what the page had not said (decision 149) */
  | { readonly kind: 'top-up'; readonly topUpCents: number; readonly currency: string }
  /** no response, and not everything was sent: the service cannot have charged */
  | { readonly kind: 'dropped'; readonly sentBytes: number }
  /** no response, and everything may have been sent: the order may exist, and the service will recognize the key */
  | { readonly kind: 'unclear' }
  /** no response; the service has since been asked and has no such file */
  | { readonly kind: 'absent' }
  /** a service without Idempotency-Key has what may be this very file */
  | { readonly kind: 'found'; readonly fileId: string; readonly created: string; readonly total: number }
  /** a link to a recording that the account has, byte for byte */
  | { readonly kind: 'known'; readonly fileId: string }
  | { readonly kind: 'file-changed' }
  | { readonly kind: 'file-gone' }
  | { readonly kind: 'stopped' }

/** The recording costs more than the page said, and was not ordered: its true price is asked for (decision 87). */
type PriceQuestion = {
  readonly kind: 'dearer'
  readonly totalCents: number
  readonly durationMs: number
  readonly limitCents: number
  readonly currency: string
  /** as the page showed it; null: it showed none */
  readonly shownMs: number | null
}

/** How the customer can resolve a failure. */
export type Remedy = 'retry' | 'drop-again' | 'sign-in' | 'decide' | 'none'

const remediesOfStatus: Record<number, Remedy> = { 401: 'sign-in', 413: 'none', 415: 'none' }

/** The remedy for this failure. */
export function findRemedy(failure: UploadFailure): Remedy {
  if (failure.kind === 'refused') return remediesOfStatus[failure.status] ?? 'retry'
  if (failure.kind === 'file-changed' || failure.kind === 'file-gone') return 'drop-again'
  return ['found', 'known', 'dearer', 'top-up'].includes(failure.kind) ? 'decide' : 'retry'
}

/** True if every other waiting upload would fail the same way, so that the queue stops instead of trying each. */
export function stopsQueue(failure: UploadFailure): boolean {
  if (failure.kind === 'asked') return true
  return failure.kind === 'refused' && [401, 402, 403, 507].includes(failure.status)
}

/** True for a transient failure of the service, which never charges (spec 7). */
export function isPassing(failure: UploadFailure): boolean {
  return failure.kind === 'refused' && failure.status >= 500 && !stopsQueue(failure)
}

const refusals: Record<number, string> = {
  401: 'The service no longer accepts your key. Nothing was charged. Sign in with a valid key to continue.',
  413: 'The file is over 10 GB. Nothing was charged. Split it or compress it, then drop it again.',
  429: 'The service is busy with your other uploads. Nothing was charged. Try again in a moment.',
  507: 'The service is out of storage space. Nothing was charged. Try again later.',
}

function refusalWords(status: number, message: string): string {
  const known = refusals[status]
  if (known !== undefined) return known
  if (status === 402) {
    const [reason = ''] = message.split(/ ?Nothing was charged/i)
    return `${reason || 'The payment did not go through.'} Nothing was charged. Check the card, then try again.`
  }
  const said = message === '' ? `The service returned status ${status}.` : message
  // The list of all formats says less than its cause.
  const cause = said.replace(/ Supported file types: .*/, ' It may be damaged.')
  const sentence = cause.replace(/([^.!?])$/, '$1.')
  return /nothing was charged/i.test(sentence) ? sentence : `${sentence} Nothing was charged.`
}

function priceQuestionWords({ totalCents, durationMs, limitCents, currency, shownMs }: PriceQuestion): string {
  const [total, limit] = [totalCents, limitCents].map((cents) => moneyText(cents, currency))
  const [length, shown] = [durationMs, shownMs ?? Number.NaN].map((ms) => clockText(ms / 1_000))
  if (shownMs === null) return `This recording is ${length} long: ${total}, above the limit of ${limit}.`
  if (length === shown) return `This recording costs ${total}, not ${limit}.`
  return `This recording is ${length} long, not ${shown}: ${total} instead of ${limit}.`
}

/** What happened, what it cost and what to do, in plain words. */
export function failureWords(failure: UploadFailure): string {
  switch (failure.kind) {
    case 'refused':
      return refusalWords(failure.status, failure.message)
    case 'asked':
      return 'Your bank asks you to confirm this payment. Nothing was charged yet. Confirm there, and the order goes on here.'
    case 'dearer':
      return `${priceQuestionWords(failure)} Nothing was charged.`
    case 'top-up':
      return `Your balance was spent elsewhere meanwhile: your card would pay in ${moneyText(failure.topUpCents, failure.currency)} first. Nothing was charged.`
    case 'dropped': {
      const where = failure.sentBytes === 0 ? '' : ` at ${sizeText(failure.sentBytes)}`
      return `The connection dropped${where}. Nothing was charged.`
    }
    case 'unclear':
      return 'The connection dropped before the response arrived. Trying again cannot charge twice.'
    case 'absent':
      return 'The connection dropped before the response arrived, and the service has no such file. Nothing was charged.'
    case 'found':
      return `The service already has a file of this name and size, created ${datesNow().moment(Date.parse(failure.created))}.`
    case 'known':
      return 'Your account already has this recording. Nothing was charged.'
    case 'file-changed':
      return 'The file changed on disk after you chose it. Nothing was charged. Drop it again to send the new version.'
    case 'file-gone':
      return 'The file was moved or deleted. Nothing was charged. Drop it again to continue.'
    case 'stopped':
      return 'You canceled it. Nothing was charged.'
  }
}

import {
  knownFileHeader,
  orderDurationHeader,
  orderTopUpHeader,
  orderTotalHeader,
  orderWarningHeader,
  paymentPageHeader,
  refundHeader,
} from '../../../contract/interface/headers.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { header } from '../http/operation.ts'

/** The limit of an order (decision 87) in the OpenAPI document. */
export const orderLimit = header(
  'Max-Total-Cents',
  'The most that the order may cost. Above it the answer is 400, and nothing is ordered or charged.',
  false,
  { type: 'string', pattern: '^\\d{1,9}$' },
)

/** The quote of an order (decision 143) in the OpenAPI document. */
export const orderQuote = header(
  'Quote-Id',
  'The id of a quote of `POST /account/quotes`: the order is never charged more than it says. One that is not of this ' +
    'account is 404; one that has expired or been used, or is for other options or shorter recordings, 409. Nothing is charged then.',
)

/** The share of the free minutes that an order may use, in the OpenAPI document. */
export const freeShare = header(
  'Free-Seconds',
  'The most of the free minutes of this month that the order uses; without it as many as are left. For orders at once ' +
    'whose prices were told one by one.',
  false,
  { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,3})?$' },
)

/** What the card may pay in for an order (decision 149), in the OpenAPI document. */
export const topUpLimit = header(
  'Max-Top-Up-Cents',
  'The most that the card may pay into the balance for the order, and for all with its `Order-Batch` together, such as ' +
    'what a person was shown; 0: the balance is to suffice. Above it the answer is 409 with `Order-Top-Up-Cents`, and nothing is charged.',
  false,
  { type: 'string', pattern: '^\\d{1,9}$' },
)

/** What a 400 because of the limit says, in its headers. */
export const overLimit = {
  description: 'Above `Max-Total-Cents` its headers have the price; the uploaded bytes are kept for `POST …/order`.',
  headers: {
    [orderTotalHeader]: { description: 'What the order would cost, in cents.', schema: { type: 'integer' } },
    [orderDurationHeader]: { description: 'Length of the recording in milliseconds.', schema: { type: 'integer' } },
  },
}

/** Of a 409 because of what the card may pay in. */
export const overTopUp = {
  [orderTopUpHeader]: {
    description: 'What the card would pay in, in cents, if `Max-Top-Up-Cents` is less.',
    schema: { type: 'integer' as const },
  },
}

/** Of an order that nobody types at present. */
export const warned = {
  [orderWarningHeader]: {
    description: 'Of a manual order, where nobody types at present: so, in words. The order is made.',
    schema: { type: 'string' as const },
  },
}

/** Of an order that nobody pays. */
export const unpaid = {
  description: 'No payment method, the card was declined, or the bank asks the cardholder to confirm. Nothing is kept.',
  headers: {
    [paymentPageHeader]: {
      description: "The bank's page, if it asks. Confirm there, and send the order again.",
      schema: { type: 'string' },
    },
  },
}

/** The least that a deletion is to refund (decision 155) in the OpenAPI document. */
export const refundLimit = header(
  'Min-Refund-Cents',
  'The least that is to be refunded, such as what a person was shown. Below it the answer is 409, and nothing is deleted.',
  false,
  { type: 'string', pattern: '^\\d{1,9}$' },
)

/** What a deletion refunds, in a header. */
export const refunded = {
  [refundHeader]: { description: 'What is refunded, or would be, in cents.', schema: { type: 'integer' as const } },
}

/**
 * Reads an order's cost limit in cents (decision 87); null if the client set none.
 * @throws ServiceError 400 if malformed
 */
export function parseMaxTotal(given: string | string[] | null | undefined): number | null {
  return parseCents('Max-Total-Cents', given)
}

/** Reads a header of cents; null if it is absent. @throws ServiceError 400 if malformed */
export function parseCents(name: string, given: string | string[] | null | undefined): number | null {
  if (given === undefined || given === null) return null
  if (typeof given === 'string' && /^\d{1,9}$/.test(given)) return Number(given)
  throw new ServiceError(400, `${name} takes a whole number of cents, such as 1500.`)
}

/** Of a 409 because the account has the recording. */
export const knownAlready = {
  [knownFileHeader]: {
    description: 'With `Known-Recording: refuse`: the file of it.',
    schema: { type: 'string' as const },
  },
}

/** Whether the same recording is ordered twice. */
export const knownRecording = header(
  'Known-Recording',
  '`refuse`: if the account already has the same recording, byte for byte, the answer is 409 with its id in `Known-File`, and ' +
    'nothing is charged. `order`: it is ordered all the same, as without the header.',
  false,
  { type: 'string', enum: ['refuse', 'order'] },
)

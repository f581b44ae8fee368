import { paymentPageHeader } from '../../../contract/interface/headers.ts'
import type { ApiError } from './client.ts'

/** Where the bank asks the cardholder to confirm a payment that was refused for that (decision 136); null: it does not. */
export function paymentPage({ header }: ApiError): string | null {
  const page = header(paymentPageHeader)
  return page && /^https?:\/\//.test(page) ? page : null
}

import type Stripe from 'stripe'
import { countProviderError } from '../../../../platform/payment-errors.ts'
import type { StripeConfig } from '../../../../platform/payment-provider.ts'
import { ServiceError } from '../../../../platform/service-error.ts'

/** Timeout of one attempt; connection failures, 409 and 5xx are sent again twice, with the same key. */
const timeoutMs = 20_000
const retries = 2

/** Loads Stripe's package, which nothing else does: 23 MB on disk that a service without a key never reads. */
export async function openStripe({ key, url }: Pick<StripeConfig, 'key' | 'url'>): Promise<Stripe> {
  const { default: Client } = await import('stripe')
  const elsewhere = url === null ? {} : { host: url.hostname, port: url.port, protocol: 'http' as const }
  return new Client(key, { maxNetworkRetries: retries, timeout: timeoutMs, telemetry: false, ...elsewhere })
}

/** What the package throws, by its name; null if something else was thrown. */
export function toStripeError(error: unknown): Stripe.errors.StripeError | null {
  const isTheirs = error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
  return isTheirs ? (error as Stripe.errors.StripeError) : null
}

/** The error of a call that is not about the card: refused in Stripe's words, or without a known outcome. */
export function explainStripe(error: unknown): unknown {
  const theirs = toStripeError(error)
  if (theirs === null) return error
  countProviderError()
  const words = wordsFor(theirs)
  return new ServiceError(502, words, {}, { cause: error })
}

function wordsFor({ type, code, message, statusCode }: Stripe.errors.StripeError): string {
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError') {
    return 'The payment provider refuses the key of this service. Its operator has to renew it; nothing was charged.'
  }
  const isRefusal = type === 'StripeInvalidRequestError' && code !== 'idempotency_key_in_use' && statusCode !== 409
  if (isRefusal) return `The payment provider rejected this: ${message}`
  return 'The payment provider is not responding. Try again in a moment.'
}

/** Ends the wait for a call when `signal` is aborted. @throws its reason; ServiceError 502 */
export async function askStripe<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await untilAborted(signal, call)
  } catch (error) {
    throw explainStripe(error)
  }
}

/** The same with the errors of Stripe's package. */
export async function untilAborted<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([call(), promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

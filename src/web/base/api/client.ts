import type { ErrorBody } from '../../../contract/common/errors.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import { requestIdHeader, transcriptVersionHeader } from '../../../contract/interface/headers.ts'
import { authorization } from './authorization.ts'
import { earlyAnswers, requestDefaults } from './early-answers.ts'

/** Identifies and signs a request. */
export type Credentials = { environment: Environment; key: string }

/** A signed-in session. `account` is the account's id, or a digest of the key if the service reports none. */
export type Session = Credentials & { account: string }

/** Prefix of every query key of an account: all data read with an account's key is found, and dropped, by it. */
export function accountKey({ environment, account }: Session) {
  return [environment, account] as const
}

type ErrorFacts = { retryAfterMs: number | null; header: HeaderReader }
type HeaderReader = (name: string) => string | null | undefined

/** An error response, or no response at all (`status` 0). Its message may be shown to users. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0: no readable response */
  readonly status: number
  /** how long the service asked to wait (Retry-After), in milliseconds */
  readonly retryAfterMs: number | null
  /** a header of the response */
  readonly header: HeaderReader
  constructor(status: number, message: string, options: ErrorOptions & Partial<ErrorFacts> = {}) {
    super(message, options)
    this.status = status
    this.retryAfterMs = options.retryAfterMs ?? null
    this.header = options.header ?? (() => null)
  }
}

type RefusedListener = (credentials: Credentials) => void
const refusedListeners = new Set<RefusedListener>()

/** Calls `listener` when the service refuses a key (401), whichever request got it. Returns an unsubscribe function. */
export function onKeyRefused(listener: RefusedListener): () => void {
  refusedListeners.add(listener)
  return () => void refusedListeners.delete(listener)
}

/** Reports a refused key; for requests made elsewhere (uploads, workers). */
export function reportRefusedKey(credentials: Credentials): void {
  for (const listener of refusedListeners) listener(credentials)
}

/**
 * Sends a request; all calls to the service go through here.
 * @param url from `addresses.ts`
 * @throws ApiError on any non-2xx response or none; AbortError if `init.signal` aborts it
 */
export async function request(credentials: Credentials, url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('Authorization', authorization(credentials.key))
  // Pages correct the service's original text, whichever text the account chose for programs.
  headers.set(transcriptVersionHeader, 'original')
  const response = await fetchAnswer(url, { ...init, headers })
  if (response.ok) return response
  if (response.status === 401) reportRefusedKey(credentials)
  throw await readRefusal(response)
}

/** A request that needs no key, such as opening a demo account. */
export async function requestOpenly(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetchAnswer(url, init)
  if (response.ok) return response
  throw await readRefusal(response)
}

async function fetchAnswer(url: string, init: RequestInit): Promise<Response> {
  try {
    return await (earlyAnswers.claim(url, init) ?? fetch(url, { ...requestDefaults, ...init }))
  } catch (error) {
    if (init.signal?.aborted) throw error
    const words = navigator.onLine ? 'The service cannot be reached.' : 'This device is offline.'
    throw new ApiError(0, words, { cause: error })
  }
}

async function readRefusal(response: Response): Promise<ApiError> {
  const body = await response.text().catch(() => '')
  return toApiError(response.status, body, (name) => response.headers.get(name))
}

/** Parses an error (spec 7): its status and the hint of its body, or our own wording if the body has another shape. */
export function toApiError(status: number, body: string, header: HeaderReader, cause?: unknown): ApiError {
  const hint = readHint(body) ?? `The service returned status ${status}.`
  const facts = { retryAfterMs: retryAfterMs(header('Retry-After') ?? null), header }
  // Support may be asked about a declined charge or a fault of the service; the message of a 500 has the id already.
  const id = status === 402 || status > 500 ? header(requestIdHeader) : null
  return new ApiError(status, id ? `${hint} (Request ${id})` : hint, { cause, ...facts })
}

/** The hint of an error body (spec 7), or null if it is not of that shape. */
function readHint(body: string): string | null {
  try {
    // Parsed by hand: zod would outweigh the workers that use this.
    const { error } = JSON.parse(body) as Partial<ErrorBody>
    return typeof error === 'string' ? error : null
  } catch {
    return null
  }
}

/** Milliseconds requested by a `Retry-After` value (seconds or a date, RFC 9110 10.2.3); null if there is none. */
function retryAfterMs(value: string | null, now: number = Date.now()): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}

export const unknownForm = 'The service sent a response that this page does not understand.'

/** Parses and validates a JSON response. @throws ApiError if it violates the contract */
export async function readJson<Value>(response: Response, schema: { parse(value: unknown): Value }): Promise<Value> {
  try {
    return schema.parse(await response.json())
  } catch (error) {
    throw new ApiError(response.status, unknownForm, { cause: error })
  }
}

/** True if a retry may help: no response, or a server error. A 4xx is final. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
}

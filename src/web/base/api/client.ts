import type { ErrorBody } from '../../../contract/common/errors.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import { transcriptVersionHeader } from '../../../contract/interface/headers.ts'
import { authorization } from './authorization.ts'
import { earlyAnswers, requestDefaults } from './early-answers.ts'

/** What a request is signed with. */
export type Credentials = { environment: Environment; key: string }

/** Who is signed in to an environment. `account` is its id, or a digest of the key where the service names none. */
export type Session = Credentials & { account: string }

/** An answer that is not a success, or none at all (`status` 0). Its message may be shown to people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0: no readable answer */
  readonly status: number
  /** how long the service asked to wait (Retry-After), in milliseconds */
  readonly retryAfterMs: number | null
  constructor(status: number, message: string, options?: ErrorOptions & { retryAfterMs?: number | null }) {
    super(message, options)
    this.status = status
    this.retryAfterMs = options?.retryAfterMs ?? null
  }
}

type RefusedListener = (credentials: Credentials) => void
const refusedListeners = new Set<RefusedListener>()

/** Calls back when the service refuses a key (401), whichever request found out. Returns a function that unsubscribes. */
export function onKeyRefused(listener: RefusedListener): () => void {
  refusedListeners.add(listener)
  return () => void refusedListeners.delete(listener)
}

/** Reports a refused key; for requests that are not made here (uploads, workers). */
export function reportRefusedKey(credentials: Credentials): void {
  for (const listener of refusedListeners) listener(credentials)
}

/**
 * The one door to the service.
 * @param url from `addresses.ts`
 * @throws ApiError on every answer but 2xx and if there is no answer; AbortError where `init.signal` ended it
 */
export async function request(credentials: Credentials, url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('Authorization', authorization(credentials.key))
  // Pages correct the service's own text, whatever the account has chosen for programs.
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
  return toApiError(response.status, await response.text().catch(() => ''), response.headers.get('Retry-After'))
}

/** The error of spec 7: its status and the hint of its body, or words of ours where the body is not of that shape. */
export function toApiError(status: number, body: string, retryAfter: string | null, cause?: unknown): ApiError {
  const hint = hintOf(body) ?? `The service returned status ${status}.`
  return new ApiError(status, hint, { cause, retryAfterMs: retryAfterMs(retryAfter) })
}

/** The hint of an error body (spec 7), or null if it is not of that shape. */
function hintOf(body: string): string | null {
  try {
    // Read by hand: zod would weigh more than the workers that it would come with.
    const { error } = JSON.parse(body) as Partial<ErrorBody>
    return typeof error === 'string' ? error : null
  } catch {
    return null
  }
}

/** Milliseconds that a `Retry-After` value asks for (seconds or a date, RFC 9110 10.2.3); null if there is none. */
function retryAfterMs(value: string | null, now: number = Date.now()): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}

export const unknownForm = 'The service sent a response that this page does not understand.'

/** The JSON of an answer, read by the contract. @throws ApiError if it is not what was promised */
export async function readJson<Value>(response: Response, schema: { parse(value: unknown): Value }): Promise<Value> {
  try {
    return schema.parse(await response.json())
  } catch (error) {
    throw new ApiError(response.status, unknownForm, { cause: error })
  }
}

/** True where trying again may help: no answer, or the service's own fault. A 4xx is an answer. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
}

/** A refusal of the service, in its own words, or what kept the request from it. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  /** HTTP status; 0 if the service could not be reached */
  readonly status: number
  /** of the answer, for support; null without an answer */
  readonly requestId: string | null
  /** when a repeat makes sense; null if the service does not say */
  readonly retryAfterSeconds: number | null

  constructor(message: string, status: number, headers?: Headers, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.requestId = headers?.get('request-id') ?? null
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null
  }

  /** The key is missing, unknown or revoked. */
  get isUnauthorized(): boolean {
    return this.status === 401
  }

  /** No card, or it was declined. Nothing was charged. */
  get isPaymentRequired(): boolean {
    return this.status === 402
  }

  /** The key lacks a right. */
  get isForbidden(): boolean {
    return this.status === 403
  }

  get isNotFound(): boolean {
    return this.status === 404
  }

  /** Over a budget, locked, or changed in the meantime: the message says which. */
  get isConflict(): boolean {
    return this.status === 409
  }
}

/** The error of an answer that is no success: reads its `{"error"}`. */
export async function toError(response: Response): Promise<ParleyError> {
  const text = await response.text().catch(() => '')
  let message = `The service answered ${response.status}.`
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    if (typeof error === 'string') message = error
  } catch {
    // HEAD has no body, and a proxy one of its own.
  }
  return new ParleyError(message, response.status, response.headers)
}

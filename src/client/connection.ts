import { ParleyError, toError } from './parley-error.ts'

export type ClientOptions = {
  /** `parley_live_…` or `parley_test_…`, which chooses live or sandbox */
  key: string
  /** the service's address, such as `https://parley.example` */
  url: string | URL
  /** how often a request is repeated that may be, at most; 4 by default */
  retries?: number
  fetch?: typeof fetch
}

export type Sent = {
  method: string
  /** below the service's address, without the environment: `/v1/files` */
  path: string
  headers?: Record<string, string>
  body?: BodyInit
  signal?: AbortSignal | undefined
  /** it may be repeated although nobody knows whether it was done */
  isRepeatable: boolean
}

const firstWaitMs = 500
const longestWaitMs = 20_000

/** Waits before the given repeat: exponential backoff with jitter, or as the service asks. */
function waitMs(repeat: number, error: ParleyError): number {
  if (error.retryAfterSeconds !== null) return Math.min(error.retryAfterSeconds * 1_000, 4 * longestWaitMs)
  return Math.min(firstWaitMs * 2 ** repeat, longestWaitMs) * (0.5 + Math.random() / 2)
}

/** Resolves after a while. @throws the signal's reason once it is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Sends requests with the key, and repeats those that may be. */
export class Connection {
  readonly #authorization: string
  readonly #url: URL
  readonly #retries: number
  readonly #fetch: typeof fetch
  /** `/sandbox` or nothing */
  readonly #prefix: string

  constructor({ key, url, retries = 4, fetch: send = fetch }: ClientOptions) {
    const trimmed = key.trim()
    if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new TypeError('The API key is empty or has characters that no key has.')
    this.#authorization = `Basic ${btoa(`${trimmed}:`)}`
    this.#url = new URL(url)
    this.#prefix = trimmed.startsWith('parley_test_') ? '/sandbox' : ''
    this.#retries = retries
    this.#fetch = send
  }

  /** The absolute address of a path without its environment, or of one that the service gave. */
  resolve(path: string): URL {
    return new URL(path.startsWith('/sandbox/') ? path : this.#prefix + path, this.#url)
  }

  /**
   * Sends one request, and repeats it after a lost connection or a passing refusal (429, 502, 503, 504) if that cannot
   * do anything twice. A 429 or 503 with `Retry-After` did nothing, so anything is repeated then.
   * @throws ParleyError
   */
  async send(sent: Sent): Promise<Response> {
    for (let repeat = 0; ; repeat += 1) {
      const outcome = await this.#try(sent)
      if (outcome instanceof Response) return outcome
      const { status, retryAfterSeconds } = outcome
      const isPassing = [0, 429, 502, 503, 504].includes(status)
      const didNothing = (status === 429 || status === 503) && retryAfterSeconds !== null
      const isOnce = sent.body instanceof ReadableStream
      if (repeat >= this.#retries || isOnce || !isPassing || !(sent.isRepeatable || didNothing)) throw outcome
      await pause(waitMs(repeat, outcome), sent.signal)
    }
  }

  async #try({ method, path, headers, body, signal }: Sent): Promise<Response | ParleyError> {
    try {
      const response = await this.#fetch(this.resolve(path), {
        method,
        headers: { ...headers, authorization: this.#authorization },
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
        redirect: 'error',
      } as RequestInit)
      return response.ok || response.status === 304 ? response : await toError(response)
    } catch (cause) {
      signal?.throwIfAborted()
      return new ParleyError(`The service could not be reached: ${String(cause)}`, 0, undefined, cause)
    }
  }
}

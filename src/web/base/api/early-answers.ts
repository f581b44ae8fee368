import { authorization } from './authorization.ts'

/** Options of every request: no cookies, and no account data in the browser's cache. */
export const requestDefaults = { credentials: 'omit', cache: 'no-store' } as const satisfies RequestInit

/** Number of newest files requested before the page says which rows it shows. */
export const firstScreen = 16

/** An unclaimed response expires after this. */
const unclaimedMs = 15_000

/** Responses to requests sent before the page's code had loaded. Each goes to the first caller that claims it. */
class EarlyAnswers {
  readonly #answers = new Map<string, Promise<Response>>()

  /** Sends a request ahead of the page. */
  send(method: 'GET' | 'HEAD' | 'POST', url: string, key: string): Promise<Response> {
    const signedBy = authorization(key)
    const name = requestKey(method, url, signedBy)
    const answer = fetch(url, { ...requestDefaults, method, headers: { Authorization: signedBy } })
    this.#answers.set(name, answer)
    setTimeout(() => this.#answers.delete(name), unclaimedMs)
    // The claimant handles a failure.
    answer.catch(() => undefined)
    return answer
  }

  /** The response to the same request, or undefined if it was not sent early or is already claimed. */
  claim(url: string, { method = 'GET', headers }: RequestInit): Promise<Response> | undefined {
    if (this.#answers.size === 0) return undefined
    const name = requestKey(method, url, new Headers(headers).get('Authorization'))
    const answer = this.#answers.get(name)
    this.#answers.delete(name)
    return answer
  }
}

function requestKey(method: string, url: string, signedBy: string | null): string {
  return `${method} ${url} ${signedBy}`
}

/** The one store of early responses: all that the script that sends them shares with the page that claims them. */
export const earlyAnswers = new EarlyAnswers()

/**
 * The JSON of an early response. The claimant shares it from the start: ten thousand ids take long to parse, and a body
 * can be read only once.
 */
export function parseJson(answer: Response): Promise<unknown> {
  const value: Promise<unknown> = answer.json()
  answer.json = () => value
  return value
}

import { authorization } from './authorization.ts'

/** How a page's requests are made: no cookies, nothing of an account in the browser's cache. */
export const requestDefaults = { credentials: 'omit', cache: 'no-store' } as const satisfies RequestInit

/** As many of the newest files are asked for before the page says which rows it shows. */
export const firstScreen = 16

/** An answer that nobody has claimed by then is out of date. */
const unclaimedMs = 15_000

/** Answers to requests that were sent before the page's code was there. Each is for the first who claims it. */
class EarlyAnswers {
  readonly #answers = new Map<string, Promise<Response>>()

  /** Sends now what the page will ask for soon. */
  send(method: 'GET' | 'HEAD' | 'POST', url: string, key: string): Promise<Response> {
    const signedBy = authorization(key)
    const name = requestKey(method, url, signedBy)
    const answer = fetch(url, { ...requestDefaults, method, headers: { Authorization: signedBy } })
    this.#answers.set(name, answer)
    setTimeout(() => this.#answers.delete(name), unclaimedMs)
    // A failure is for whoever claims it.
    answer.catch(() => undefined)
    return answer
  }

  /** The answer to the same request, or undefined if it was not sent early or is claimed already. */
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

/** The one store of early answers: the script that sends them and the page that claims them share nothing else. */
export const earlyAnswers = new EarlyAnswers()

/** The JSON of an early answer. Who claims the answer gets the same, as parsing ten thousand ids twice would take long. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const value: unknown = await answer.json()
  answer.json = () => Promise.resolve(value)
  return value
}

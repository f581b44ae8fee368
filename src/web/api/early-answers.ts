import { authorization } from './authorization.ts'

/*
 * What was asked before the page's code was here (early.ts). Each answer is for the first who asks the same.
 */

/** How a page's requests are made: no cookies, nothing of an account in the browser's cache. */
export const requestDefaults = { credentials: 'omit', cache: 'no-store' } as const satisfies RequestInit

/** As many of the newest files are asked for before the page says which rows it shows. */
export const firstScreen = 16

/** What shows the first rows: a page of the newest files, or all ids and the answers to the HEADs of the first of them. */
export type FirstAnswers =
  | { kind: 'page'; page: Promise<Response> }
  | { kind: 'heads'; ids: string[]; heads: Promise<Response>[] }

/** An answer that nobody took by then is old. */
const keptMs = 15_000

const answers = new Map<string, Promise<Response>>()

function nameOf(method: string, url: string, signedBy: string | null): string {
  return `${method} ${url} ${signedBy}`
}

/** Asks now what will be asked for soon. */
export function askEarly(method: 'GET' | 'HEAD', url: string, key: string): Promise<Response> {
  const signedBy = authorization(key)
  const name = nameOf(method, url, signedBy)
  const answer = fetch(url, { ...requestDefaults, method, headers: { Authorization: signedBy } })
  answers.set(name, answer)
  setTimeout(() => answers.delete(name), keptMs)
  // Who takes it hears of a failure.
  answer.catch(() => undefined)
  return answer
}

/** The JSON of an early answer. Who takes the answer is given the same, as reading ten thousand ids again would take long. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const value: unknown = await answer.json()
  answer.json = () => Promise.resolve(value)
  return value
}

/** The answer to a request that was asked early, or undefined where it was not. */
export function takeEarlyAnswer(url: string, { method = 'GET', headers }: RequestInit): Promise<Response> | undefined {
  if (answers.size === 0) return undefined
  const name = nameOf(method, url, new Headers(headers).get('Authorization'))
  const answer = answers.get(name)
  answers.delete(name)
  return answer
}

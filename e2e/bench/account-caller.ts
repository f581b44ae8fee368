import type { ServiceProcess } from '../service-process.ts'

/** Asks the account interface of the sandbox with a key. @returns the body. @throws where the answer is no success */
export async function askAccount<Body>(
  service: ServiceProcess,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const answer = await fetch(new URL(`sandbox/account/${path}`, service.url), {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}

/** The value that this share of them does not exceed: `percentile(times, 0.95)`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

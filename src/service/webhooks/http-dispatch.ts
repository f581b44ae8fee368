import type { Readable } from 'node:stream'
import type { Guard } from '../net/outbound-guard.ts'
import { TargetError } from '../net/outbound-guard.ts'
import type { Dispatch, PostAnswer } from './delivery-request.ts'
import { DispatchError, deliveryTimeoutMs, maxStoredBodyBytes } from './delivery-request.ts'

/** What a failed connection is called in front of the customer, by the code that Node and undici give it. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ENOTFOUND: 'The host name is not known.',
  EAI_AGAIN: 'The host name could not be looked up.',
  ETIMEDOUT: 'No connection could be made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection could be made in time.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
}

function inWords(error: TargetError): string {
  if (error.kind === 'refused') return error.message
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code in words) return words[code] ?? ''
  // Its parser's errors carry a code only now and then.
  if (cause instanceof Error && cause.name === 'HTTPParserError') return 'The answer is not HTTP.'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return `The TLS certificate was not accepted (${code}).`
  return error.message
}

/** The beginning of an answer's body. Its status stands: one that breaks off or never ends is kept as far as it came. */
async function beginningOf(body: Readable): Promise<{ body: string; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  let truncated = false
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      truncated = size > maxStoredBodyBytes
      if (truncated) break
    }
  } catch {
    truncated = true
  }
  return { body: Buffer.concat(chunks).subarray(0, maxStoredBodyBytes).toString('utf8'), truncated }
}

/** A `Dispatch` through the guard, each POST on a connection of its own to the addresses that were checked. */
export function httpDispatch(guard: Guard): Dispatch {
  return async ({ url, headers, body }, signal): Promise<PostAnswer> => {
    const options = { method: 'POST', headers: { ...headers, connection: 'close' }, body, signal } as const
    try {
      const answer = await guard.request(url, { ...options, idleMs: deliveryTimeoutMs })
      const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      return { status: answer.statusCode, headers: pairs, ...(await beginningOf(answer.body)) }
    } catch (error) {
      if (error instanceof TargetError) throw new DispatchError(inWords(error), { cause: error })
      throw error
    }
  }
}

import type { Readable } from 'node:stream'
import type { Guard } from '../../platform/net/outbound-guard.ts'
import { TargetError } from '../../platform/net/outbound-guard.ts'
import type { Dispatch, PostAnswer } from './delivery-request.ts'
import { DispatchError, deliveryTimeoutMs, maxStoredBodyBytes } from './delivery-request.ts'

/** Messages for customers about failed connections, by error codes of Node and undici. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  EPIPE: 'The connection was closed before a response arrived.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be looked up.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too long.',
}

function inWords(error: TargetError): string {
  if (error.kind === 'refused') return error.message
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code in words) return words[code] ?? ''
  // Only some of undici's parser errors have a code.
  if (cause instanceof Error && cause.name === 'HTTPParserError') return 'The response is not HTTP.'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return `The TLS certificate was not accepted (${code}).`
  return error.message
}

/** The beginning of a response body. Only the status counts: a body that aborts or never ends is stored up to there. */
async function readBeginning(body: Readable): Promise<{ body: string; truncated: boolean }> {
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

/** A `Dispatch` through the SSRF guard; each POST opens its own connection, to the checked addresses only. */
export function httpDispatch(guard: Guard): Dispatch {
  return async ({ account, url, headers, body }, signal): Promise<PostAnswer> => {
    const options = { account, method: 'POST', headers: { ...headers, connection: 'close' }, body, signal } as const
    try {
      const answer = await guard.request(url, { ...options, idleMs: deliveryTimeoutMs })
      const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      return { status: answer.statusCode, headers: pairs, ...(await readBeginning(answer.body)) }
    } catch (error) {
      if (error instanceof TargetError) throw new DispatchError(inWords(error), { cause: error })
      throw error
    }
  }
}

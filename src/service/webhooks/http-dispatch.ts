import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Dispatch, PostAnswer } from './delivery-request.ts'
import { DispatchError, keptBodyBytes } from './delivery-request.ts'

/** The one address that a connection to this URL may go to. @throws DispatchError where it is not public or not found */
export type PinAddress = (url: URL) => Promise<{ address: string; family: 4 | 6 }>

/** What a failed connection is called in front of the customer, by the code that Node gives it. */
const words: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'No connection could be made in time.',
}

function inWords(error: NodeJS.ErrnoException): string {
  const code = error.code ?? ''
  if (code in words) return words[code] ?? ''
  if (code.startsWith('HPE_')) return 'The answer is not HTTP.'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return `The TLS certificate was not accepted (${code}).`
  return 'The connection failed.'
}

/**
 * A `Dispatch` over Node's own HTTP: each POST on a connection of its own to the pinned address, no redirects, and
 * only as much of the answer read as is kept.
 */
export function httpDispatch(pin: PinAddress): Dispatch {
  return async ({ url, headers, body }, signal) => {
    const pinned = await pin(url)
    return await new Promise<PostAnswer>((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const request = send(url, {
        method: 'POST',
        headers,
        signal,
        agent: false,
        lookup: (_host, { all }, found) =>
          all === true ? found(null, [pinned]) : found(null, pinned.address, pinned.family),
      })
      request.on('error', (error) => reject(new DispatchError(inWords(error), { cause: error })))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        const finish = (truncated: boolean) => {
          const kept = Buffer.concat(chunks).subarray(0, keptBodyBytes)
          const pairs = response.rawHeaders.flatMap((name, index, raw): [string, string][] =>
            index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
          )
          resolve({ status: response.statusCode ?? 0, headers: pairs, body: kept.toString('utf8'), truncated })
          request.destroy()
        }
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size > keptBodyBytes) finish(true)
        })
        response.on('end', () => finish(false))
        // The status stands: an answer that breaks off or never ends is kept as far as it came.
        response.on('error', () => finish(true))
        response.on('close', () => finish(true))
      })
      request.end(body)
    })
  }
}

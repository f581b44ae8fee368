import type { Socket } from 'node:net'
import type { ErrorBody } from '../../contract/errors.ts'
import { securityHeaders } from './security-headers.ts'

/** What Node's HTTP parser refuses before there is a request to answer. */
const refusals: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to begin.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions of the body are too large.'],
}

/** Answers what is no HTTP as every other error: `{"error"}`. The connection cannot be used any further. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'The request is no well-formed HTTP.']
  const body = JSON.stringify({ error: message } satisfies ErrorBody)
  const headers = { ...securityHeaders, 'content-type': 'application/json; charset=utf-8', connection: 'close' }
  const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

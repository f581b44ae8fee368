import type { Socket } from 'node:net'
import type { ErrorBody } from '../../../contract/common/errors.ts'
import { securityHeaders } from './security-headers.ts'

type ClientError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number }

/** Errors from Node's HTTP parser, raised before there is a request to answer. */
const refusals: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to start.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions of the body are too large.'],
}

/** A well-formed request line with a method unknown to Node's parser. */
const unknownMethod = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r\n/

/**
 * True if the parser failed on the method itself. Otherwise it failed on the excess of a body longer than its declared
 * length, in the same packet as the preceding request.
 */
function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ClientError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return false
  const method = unknownMethod.exec(rawPacket.toString('latin1'))?.[1]
  return method !== undefined && bytesParsed <= method.length
}

/** Any method that is not allowed gets 405, even an unknown one (spec 4.6). The path is not parsed. */
function chooseRefusal(error: ClientError): readonly [status: string, message: string, allow?: string] {
  if (hasUnknownMethod(error)) {
    const message =
      'This method is not supported. Allowed methods: GET, HEAD, POST of files; GET, HEAD, DELETE of a file.'
    return ['405 Method Not Allowed', message, 'GET, HEAD, POST, DELETE']
  }
  return refusals[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
}

/** Answers malformed HTTP with `{"error"}`, like every other error, and closes the connection. */
export function answerClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message, allow] = chooseRefusal(error)
  const body = JSON.stringify({ error: message } satisfies ErrorBody)
  const headers = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    ...(allow && { allow }),
  }
  const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../../contract/common/errors.ts'
import { requestIdHeader } from '../../../contract/interface/headers.ts'
import { OptionError } from '../../../contract/interface/order-options.ts'
import type { Config } from '../../platform/config.ts'
import { isDatabaseAway, isInTheWay } from '../../platform/db/database-away.ts'
import { isBusy } from '../../platform/db/node-sqlite-dialect.ts'
import { isFullDisk } from '../../platform/media/file-errors.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { securityHeaders } from './security-headers.ts'

/** Reworded messages for Fastify's own errors. All others keep their status and get a generic message. */
const frameworkErrors: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The Content-Type of the request is not supported: POST files takes multipart/form-data, everything else application/json.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty; JSON is expected.',
  FST_ERR_CTP_INVALID_JSON_BODY:
    'The request body is not valid JSON. In a shell, put it in single quotes; names and texts need double ones.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the request body does not match its Content-Length.',
  FST_ERR_BAD_URL: 'The request URL is malformed.',
}

/** Maps an error to its response; null if the error is unexpected. */
function asServiceError(error: FastifyError | Error): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (error instanceof OptionError) return new ServiceError(400, error.message)
  if (isFullDisk(error)) {
    return new ServiceError(507, 'The service is out of storage space. Nothing was charged; try again later.')
  }
  if (isBusy(error) || isInTheWay(error)) {
    return new ServiceError(503, 'The service is busy with its database. Nothing was changed; try again in a moment.', {
      'retry-after': '5',
    })
  }
  if (isDatabaseAway(error)) {
    const words = 'The database cannot be reached at the moment. Send the request again in a few seconds.'
    return new ServiceError(503, words, { 'retry-after': '5' })
  }
  const code = 'code' in error ? String(error.code) : ''
  // Spec 7 reserves 415 for file types; a body of the wrong kind is a bad request.
  const status =
    code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 400 : 'statusCode' in error ? Number(error.statusCode) : 500
  if (!(status >= 400 && status < 500)) return null
  return new ServiceError(status, frameworkErrors[code] ?? 'The request is malformed.')
}

/**
 * The only error handler: every error becomes `{"error"}` (spec 7). An unexpected one is logged with its request ID;
 * the response holds only that ID and where to report it (spec 1, rule 6). Every response that says to contact support
 * includes the address.
 */
export function answerErrors({ supportEmail }: Pick<Config, 'supportEmail'>) {
  const support = supportEmail === null ? 'support' : `support at ${supportEmail}`
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const thrown = error instanceof Error ? error : new Error(String(error))
    const known = asServiceError(thrown)
    dropContentHeaders(reply)
    reply.header('cache-control', 'no-store')
    if (known !== null) {
      if (known.status >= 500) request.log.warn({ err: thrown, reqId: request.id }, 'answered with an error')
      const error = known.message.replace('contact support', `contact ${support}`)
      return reply.code(known.status).headers(known.headers).send({ error })
    }
    request.log.error({ err: thrown, reqId: request.id }, 'unexpected error')
    const message = `An unexpected error occurred. Please contact ${support} with this request ID: ${request.id}`
    return reply.code(500).send({ error: message })
  }
}

/** Headers of the answer that was under way: an error under them could not be read. */
const contentHeaders = [
  ...['content-type', 'content-encoding', 'content-length', 'content-disposition', 'content-range'],
  ...['accept-ranges', 'etag', 'last-modified'],
]

function dropContentHeaders(reply: FastifyReply): void {
  for (const name of contentHeaders) {
    reply.removeHeader(name)
    if (!reply.raw.headersSent) reply.raw.removeHeader(name)
  }
}

/** Errors that a file's deletion may cause while it is read: unexpected ones, those of the service, lost bytes. */
const mayBeGone = (error: unknown) => !(error instanceof ServiceError) || error.status >= 500 || error.status === 410

/** The same, but an error of a request whose file has been deleted meanwhile says so (`noteFile`). */
export function answerErrorsOfFiles(config: Pick<Config, 'supportEmail'>) {
  const answer = answerErrors(config)
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const { findGone } = request
    if (findGone === undefined || !mayBeGone(error)) return answer(error, request, reply)
    // If that cannot be found out, the first error counts.
    const found = findGone().catch(() => null)
    return found.then((gone) => answer(gone ?? error, request, reply))
  }
}

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

/** Answers malformed HTTP with `{"error"}`, like every other error, and closes the connection. @param id of the request */
export function answerClientError(error: ClientError, socket: Socket, id: string, log: FastifyBaseLogger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message, allow] = chooseRefusal(error)
  log.info({ reqId: id, code: error.code, status }, 'refused malformed HTTP')
  const body = JSON.stringify({ error: message } satisfies ErrorBody)
  const headers = {
    ...securityHeaders,
    [requestIdHeader]: id,
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    ...(allow && { allow }),
  }
  const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { OptionError } from '../../../contract/interface/order-options.ts'
import type { Config } from '../../platform/config.ts'
import { isDatabaseAway, isInTheWay } from '../../platform/db/database-away.ts'
import { isBusy } from '../../platform/db/node-sqlite-dialect.ts'
import { isFullDisk } from '../../platform/media/file-errors.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** Reworded messages for Fastify's own errors. All others keep their status and get a generic message. */
const frameworkErrors: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The Content-Type of the request is not supported: POST files takes multipart/form-data, everything else application/json.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty; JSON is expected.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
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

import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  knownFileHeader,
  metadataHeader,
  orderDurationHeader,
  orderTopUpHeader,
  orderTotalHeader,
  orderWarningHeader,
  paymentPageHeader,
  refundHeader,
  requestIdHeader,
  transcriptVersionHeader,
} from '../../../contract/interface/headers.ts'
import { uploadedFileHeader } from '../../../contract/interface/resumable-uploads.ts'
import type { Config } from '../../platform/config.ts'
import { ServiceError } from '../../platform/service-error.ts'

const exposed = [
  ...[metadataHeader, 'Content-Disposition', 'Retry-After', 'Location', uploadedFileHeader, transcriptVersionHeader],
  ...['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
  ...['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires', 'Order-Project', 'Ignored-Options'],
  ...[
    knownFileHeader,
    orderTotalHeader,
    orderDurationHeader,
    orderTopUpHeader,
    orderWarningHeader,
    paymentPageHeader,
    refundHeader,
    requestIdHeader,
  ],
].join(', ')
const acceptedHeaders = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'Max-Total-Cents', 'Order-Preset'],
  ...['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'X-HTTP-Method-Override'],
  ...[
    'Order-Project',
    'Order-Sound',
    'Order-Batch',
    'Over-Budget',
    'Quote-Id',
    'Free-Seconds',
    'Known-Recording',
    'Max-Top-Up-Cents',
    'Min-Refund-Cents',
    transcriptVersionHeader,
  ],
].join(', ')
const preflightMaxAgeSeconds = 7_200

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

/** Answers a CORS preflight: what a page of an allowed origin may send (Fetch standard). */
function answerPreflight(reply: FastifyReply): void {
  reply
    .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    .header('access-control-allow-headers', acceptedHeaders)
    .header('access-control-max-age', preflightMaxAgeSeconds)
    .code(204)
    .send()
}

/**
 * CORS and CSRF protection as an `onRequest` hook: pages of other sites may not use this service (decision 5), except from origins in
 * `ALLOW_ORIGINS`. A write from another site's page gets 403, whatever its key.
 */
export function crossSite({ allowOrigins, publicUrl }: Pick<Config, 'allowOrigins' | 'publicUrl'>) {
  const isOwn = (origin: string, host: string | undefined) =>
    origin === publicUrl?.origin || URL.parse(origin)?.host === host

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { origin, host, 'sec-fetch-site': site } = request.headers
    const isAllowed = origin !== undefined && allowOrigins.includes(origin)
    if (isAllowed) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-expose-headers', exposed)
        .header('vary', 'Origin')
      const isPreflight = request.headers['access-control-request-method'] !== undefined
      // The preflight is answered here: `done` is not called.
      if (request.method === 'OPTIONS' && isPreflight) {
        answerPreflight(reply)
        return
      }
    } else if (isChange(request.method)) {
      const foreign = origin === undefined ? site === 'cross-site' || site === 'same-site' : !isOwn(origin, host)
      if (foreign) throw new ServiceError(403, 'Requests from other sites cannot make changes here.')
    }
    done()
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { unfinishedUploadRetentionMs } from '../../../contract/interface/resumable-uploads.ts'
import { refineText } from '../../platform/refine-text.ts'
import { ServiceError } from '../../platform/service-error.ts'

/* Headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload). Quoted sentences are from the protocol. */

/** The only supported protocol version. */
export const tusVersion = '1.0.0'

/** Content type of a PATCH, and of a POST with the first bytes. */
export const uploadContentType = 'application/offset+octet-stream'

/**
 * "If the version specified by the Client is not supported by the Server, it MUST respond with the 412 Precondition
 * Failed status and MUST include the Tus-Version header into the response. In addition, the Server MUST NOT process the
 * request."
 * @throws ServiceError 412
 */
export function requireTusVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === tusVersion) return
  throw new ServiceError(412, `Tus-Resumable must be ${tusVersion}.`, { 'tus-version': tusVersion })
}

/** Parses a byte count in a header, null if absent. @throws ServiceError 400 on anything else */
export function readByteCount(headers: IncomingHttpHeaders, name: string): number | null {
  const value = headers[name]
  if (value === undefined) return null
  // "The value MUST be a non-negative integer."
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  throw new ServiceError(400, `${name} must be a whole number.`)
}

/** Values by key; null for a key without a value. */
export type UploadMetadata = Record<string, string | null>

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Parses `Upload-Metadata`: "one or more comma-separated key-value pairs. The key and value MUST be separated by a
 * space. The key MUST NOT contain spaces and commas and MUST NOT be empty. The key SHOULD be ASCII encoded and the
 * value MUST be Base64 encoded. All keys MUST be unique. The value MAY be empty."
 * @throws ServiceError 400
 */
export function parseMetadata(header: string | string[] | undefined): UploadMetadata {
  if (header === undefined || header === '') return {}
  const entries = String(header)
    .split(',')
    .map((pair): [string, string | null] => {
      const [key = '', value, ...rest] = pair.split(' ')
      if (!/^[\x21-\x7e]+$/.test(key) || !base64.test(value ?? '') || rest.length > 0) {
        throw new ServiceError(400, 'Upload-Metadata takes pairs of a key and a value in base64.')
      }
      return [key, value === undefined || value === '' ? null : refineText(Buffer.from(value, 'base64').toString())]
    })
  const metadata = Object.fromEntries(entries)
  if (Object.keys(metadata).length === entries.length) return metadata
  throw new ServiceError(400, 'Upload-Metadata has a duplicate key.')
}

/** Inverse of {@link parseMetadata}; re-encodes, so that no value can break out of its header. */
export function formatMetadata(metadata: UploadMetadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => (value === null ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',')
}

/** `Upload-Expires`, "in RFC 7231 datetime format", of an upload last written at `now` (milliseconds since 1970). */
export function expiryHeader(now: number): { 'upload-expires': string } {
  return { 'upload-expires': new Date(now + unfinishedUploadRetentionMs).toUTCString() }
}

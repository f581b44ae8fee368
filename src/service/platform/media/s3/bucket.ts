import { GetObjectCommand, HeadObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { ServiceError } from '../../service-error.ts'
import { StorageAwayError } from '../file-errors.ts'

/** Blob storage other than the data directory. Credentials are found as the AWS SDK finds them. */
export type S3Config = {
  bucket: string
  /** before every key; empty, or ends in `/` */
  prefix: string
  /** null: Amazon's */
  endpoint: URL | null
  region: string
  /** the bucket is in the path of the URL instead of its host name */
  isPathStyle: boolean
}

const connectMs = 5_000
const answerMs = 60_000

/** A client and its bucket. */
export type Bucket = S3Config & { client: S3Client }

/** True if nobody in between could change bytes: TLS, or this machine itself. */
export function isSecureLine(endpoint: URL | null): boolean {
  if (endpoint === null || endpoint.protocol === 'https:') return true
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(endpoint.hostname)
}

/** The signature then covers the request but not its body, which neither side has to hash. */
function leaveBodiesUnsigned(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (step) => {
      const { request } = step as { request: { body?: unknown; headers: Record<string, string> } }
      if (Buffer.isBuffer(request.body)) request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
      return next(step)
    },
    { step: 'build', name: 'leaveBodiesUnsigned' },
  )
}

/** @param credentials for tests; else the SDK finds them */
export function openBucket(config: S3Config, credentials?: S3ClientConfig['credentials']): Bucket {
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.isPathStyle,
    ...(config.endpoint && { endpoint: config.endpoint.href }),
    ...(credentials && { credentials }),
    // Many servers lack the newer checksums; TLS or the signature covers the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
  })
  if (isSecureLine(config.endpoint)) leaveBodiesUnsigned(client)
  return { ...config, client }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

/** The status of the response; 0: there was none. */
function readStatus(error: unknown): number {
  const { $metadata: answer } = error as { $metadata?: { httpStatusCode?: number } }
  return answer?.httpStatusCode ?? 0
}

/** True if the object is absent. HEAD cannot distinguish that from an absent bucket: use a response with a body. */
export function isNoSuchKey(error: unknown): boolean {
  return errorName(error) === 'NoSuchKey'
}

/** True for HEAD of an absent object or bucket. */
function isNotFound(error: unknown): boolean {
  return readStatus(error) === 404
}

/** Something in between, or another server, answers 200 with a page of its own. */
class NotS3Error extends Error {
  override readonly name = 'NotS3Error'
}

/**
 * Requires a field that every S3 server sends with a success: an ETag, an upload's id. A web server's page is a success
 * without it, and would be taken for written bytes, or for the recording.
 * @throws NotS3Error
 */
export function sentByS3(field: string | undefined): string {
  if (field === undefined) throw new NotS3Error('The answer has no field that S3 sends.')
  return field
}

/**
 * S3 answers 204 after removing an object, even if it never existed. Any other response, such as a web server's page,
 * means that nothing was removed.
 * @throws NotS3Error
 */
export function requireRemoved({ $metadata: answer }: { $metadata: { httpStatusCode?: number } }): void {
  if (answer.httpStatusCode !== 204) throw new NotS3Error(`A removal was answered ${answer.httpStatusCode}.`)
}

/** True for a definite refusal, which is not worth retrying. */
export function isRefusal(error: unknown): boolean {
  const status = readStatus(error)
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

const refusedCredentials =
  /^(InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|ExpiredTokenException|InvalidToken|TokenRefreshRequired|CredentialsProviderError)$/

/** One sentence for operators that says what is wrong with the bucket. */
export function describeError(error: unknown, { bucket, endpoint }: S3Config): string {
  const [name, status] = [errorName(error), readStatus(error)]
  const server = `The S3 server ${endpoint?.host ?? 'of Amazon'}`
  if (name === 'NoSuchBucket') return `The bucket "${bucket}" does not exist.`
  if (name === 'RequestTimeTooSkewed') return `The clock of ${endpoint?.host ?? 'Amazon'} differs from this machine's.`
  if (refusedCredentials.test(name)) return `The S3 credentials are missing, wrong or expired (${name}).`
  if (status === 403) return `The S3 credentials do not allow this in the bucket "${bucket}".`
  // For a response that is not XML, the SDK throws its own SyntaxError or says so in the message.
  const message = error instanceof Error ? error.message : ''
  if (
    error instanceof NotS3Error ||
    /Deserialization error|is not expected|Invalid XML|Unclosed|unexpected token/i.test(message)
  ) {
    return `${server} does not answer as S3 does.`
  }
  if (status === 0) return `${server} cannot be reached (${message.split('\n', 1)[0]}).`
  return `${server} answered ${status} (${name}).`
}

/** The error to throw after a storage failure. */
export function asStorageError(error: unknown, config: S3Config): Error {
  if (error instanceof ServiceError) return error
  if (errorName(error) === 'QuotaExceeded' || readStatus(error) === 507) {
    const words = 'The service is out of storage space. Nothing was charged; please try again later.'
    return new ServiceError(507, words, {}, { cause: error })
  }
  return new StorageAwayError(new Error(describeError(error, config), { cause: error }))
}

/** Size of an object in bytes, null if there is none. @throws StorageAwayError, too, if there is no bucket */
export async function objectSize(bucket: Bucket, Key: string): Promise<number | null> {
  const object = { Bucket: bucket.bucket, Key }
  try {
    const head = await bucket.client.send(new HeadObjectCommand(object)).catch((error: unknown) => {
      // The response to HEAD has no body that distinguishes an absent object from an absent bucket.
      if (!isNotFound(error)) throw error
      return bucket.client.send(new GetObjectCommand({ ...object, Range: 'bytes=0-0' }))
    })
    sentByS3(head.ETag)
    return head.ContentLength ?? 0
  } catch (error) {
    if (isNoSuchKey(error)) return null
    throw asStorageError(error, bucket)
  }
}

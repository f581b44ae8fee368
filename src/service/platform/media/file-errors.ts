import { ServiceError } from '../service-error.ts'

const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const sqliteFull = 13

/** True if there is no such file. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** True if a write failed because the disk is full: a file's, the database's, or a ServiceError 507. */
export function isFullDisk(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 507
  if (!(error instanceof Error)) return false
  if ('code' in error && fullDiskCodes.has(String(error.code))) return true
  return 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteFull
}

/** The error to throw for a failed write: ServiceError 507 if the disk is full, else the error itself. */
export function asWriteError(error: unknown): unknown {
  if (!isFullDisk(error) || error instanceof ServiceError) return error
  return new ServiceError(
    507,
    'The service is out of storage space. Nothing was charged; please try again later.',
    {},
    { cause: error },
  )
}

/**
 * Remote blobs are unavailable at the moment. It says nothing about the recordings: no order fails permanently or is
 * refunded for it. The cause has the sentence for operators.
 */
export class StorageAwayError extends ServiceError {
  constructor(cause: unknown) {
    const words =
      'The storage of recordings cannot be used at the moment. Nothing was charged; try again in a few seconds.'
    super(503, words, { 'retry-after': '10' }, { cause })
  }
}

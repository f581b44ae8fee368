import { ServiceError } from '../service-error.ts'

const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The error to throw for a failed write: 507 in words where the disk is full, else the error as it is. */
export function asWriteError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!fullDiskCodes.has(code)) return error
  return new ServiceError(
    507,
    'The service has no room left to store this. Nothing was charged; please try again later.',
    {},
    { cause: error },
  )
}

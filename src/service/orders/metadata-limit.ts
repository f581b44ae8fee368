import { maxMetadataHeaderBytes } from '../../contract/limits.ts'
import type { FileRow } from '../db/schema.ts'
import { ServiceError } from '../service-error.ts'
import { metadataHeaderOf } from './file-metadata.ts'

/** Reserved for values that are set later: a reason for a delay, newer duplicates, a refund. */
const reservedBytes = 1_200

/**
 * Options are sent back in a header, which must stay small enough for every client (decision 2).
 * @throws ServiceError 400 where the options are too long for it
 */
export function requireHeaderFits(file: FileRow): void {
  const over = metadataHeaderOf(file).length + reservedBytes - maxMetadataHeaderBytes
  if (over <= 0) return
  throw new ServiceError(
    400,
    'speaker_names, instructions and custom_formatting_details are too long together: shorten them by at least ' +
      `${over} characters. A character outside of ASCII counts as six or twelve.`,
  )
}

import { maxMetadataHeaderBytes } from '../../../contract/interface/limits.ts'
import { type FileMetadata, toHeaderJson } from '../../../contract/interface/metadata.ts'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** A file's metadata with the types of spec 2.2. */
export function toFileMetadata(file: FileRow): FileMetadata {
  return {
    name: file.name,
    created: iso(file.created_at),
    seconds: (file.duration_ms / 1_000).toFixed(3),
    bytes: String(file.bytes),
    cost: centsToDecimal(file.cost_cents),
    discount: centsToDecimal(file.discount_cents),
    total: file.total_cents / 100,
    transaction_id: file.transaction_id,
    refund_amount: centsToDecimal(file.refund_cents),
    currency: file.currency,
    delivery: iso(file.delivery_at),
    delay_reason: file.delay_reason,
    duplicates: file.duplicates_json === null ? null : JSON.parse(file.duplicates_json),
    options: readStoredOptions(file.options_json),
    progress_percent: file.progress_percent,
  }
}

/** The metadata as the value of its header: ASCII JSON (decision 2). */
export function formatMetadataHeader(file: FileRow): string {
  return toHeaderJson(toFileMetadata(file))
}

/** Reserved for values set later: a delay reason, newer duplicates, a refund. */
const reservedBytes = 1_200

/**
 * Options are returned in a header, which must stay small enough for every client (decision 2).
 * @throws ServiceError 400 if the options are too long for it
 */
export function requireHeaderFits(file: FileRow): void {
  const over = formatMetadataHeader(file).length + reservedBytes - maxMetadataHeaderBytes
  if (over <= 0) return
  throw new ServiceError(
    400,
    'speaker_names, instructions and custom_formatting_details are too long in total: shorten them by at least ' +
      `${over} characters. A non-ASCII character counts as six or twelve.`,
  )
}

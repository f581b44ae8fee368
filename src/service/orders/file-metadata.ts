import { type FileMetadata, toHeaderJson } from '../../contract/metadata.ts'
import { readStoredOptions } from '../../contract/option-values.ts'
import { centsToDecimal } from '../../contract/price.ts'
import type { FileRow } from '../db/schema.ts'

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** A file's metadata with the types of spec 2.2. */
export function fileMetadataOf(file: FileRow): FileMetadata {
  return {
    name: file.name,
    created: iso(file.created_at),
    seconds: String(file.duration_ms / 1_000),
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
export function metadataHeaderOf(file: FileRow): string {
  return toHeaderJson(fileMetadataOf(file))
}

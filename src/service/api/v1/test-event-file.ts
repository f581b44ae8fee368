import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { testEventFileId } from '../../accounts/webhooks/delivery-request.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'

/**
 * The file of a webhook's test event, as one that was just ordered: what reads an event's file (spec 6) finds it, too.
 * It is stored nowhere.
 * @param now milliseconds since 1970
 */
export function testEventFile({ id, environment, currency }: Account, now: number): FileRow {
  const row = {
    ...{ id: testEventFileId, account_id: id, environment, currency },
    ...{ name: 'Test event', media_extension: 'mp3', media_kind: 'audio', content_hash: '' },
    ...{ bytes: 0, duration_ms: 0, cost_cents: 0, discount_cents: 0, total_cents: 0, refund_cents: 0 },
    ...{ transaction_id: testEventFileId, created_at: now, delivery_at: now, promised_at: null, ready_at: null },
    ...{ delay_reason: null, duplicates_json: null, options_json: JSON.stringify(specDefaultOptions) },
    ...{ progress_percent: 0, version: 0, expires_at: null, delete_when_ready: 0, given_up: 0, readable_ms: null },
    ...{ sound: null, heard_json: null, corrections: 0, review: 'draft', approved_revision: null },
    ...{ caption_rules_json: null, preset: null, labels_json: null, project_id: null, batch: null },
    keeping_since: null,
    ...{ recording_deleted_at: null, recording_deleted_by: null, listening_copy: null },
  } satisfies Partial<FileRow>
  // Columns that only finished files have readers for need not be here.
  return row as FileRow
}

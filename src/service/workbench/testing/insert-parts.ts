import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import type { WorkStep } from '../../../contract/work/staff.ts'
import type { Db } from '../../platform/db/open.ts'
import { mintId } from '../../platform/ids.ts'
import { testStart } from '../../testing/test-service.ts'

/** Test fixture: a live manual order cut into parts of six minutes, without audio. @returns IDs of the parts */
export async function insertParts(
  db: Db,
  accountId: string,
  { parts, step = 'type', dueAt = testStart }: { parts: number; step?: WorkStep; dueAt?: number },
): Promise<string[]> {
  const id = mintId('f')
  const zero = { cost_cents: 0, discount_cents: 0, total_cents: 0, refund_cents: 0, bytes: 1, progress_percent: 0 }
  await db
    .insertInto('files')
    .values({
      ...zero,
      ...{ id, account_id: accountId, environment: 'live', name: 'Board', media_extension: 'wav', media_kind: 'audio' },
      ...{ content_hash: id, duration_ms: parts * 360_000, currency: 'USD', transaction_id: id, created_at: testStart },
      ...{
        delivery_at: dueAt,
        options_json: JSON.stringify(specDefaultOptions),
        version: 0,
        delete_when_ready: 0,
        given_up: 0,
      },
    })
    .execute()
  const ids: string[] = []
  for (let position = 1; position <= parts; position += 1) {
    const part_id = mintId('p')
    const times = { start_ms: (position - 1) * 360_000, end_ms: position * 360_000, waiting_since: testStart }
    await db
      .insertInto('work_parts')
      .values({ id: part_id, file_id: id, account_id: accountId, position, step, ...times })
      .execute()
    await db
      .insertInto('work_texts')
      .values({ part_id, words_json: '[]', names_json: '[]', fingerprint: '', words: 0 })
      .execute()
    ids.push(part_id)
  }
  return ids
}

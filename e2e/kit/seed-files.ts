import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { dayMs } from '../../src/contract/common/durations.ts'
import type { OrderOptions } from '../../src/contract/interface/option-values.ts'
import { applyOptions } from '../../src/contract/interface/order-options.ts'
import { calculatePrice, defaultRates } from '../../src/contract/interface/price.ts'
import { type Db, openDb } from '../../src/service/platform/db/open.ts'
import { nextFileVersion } from '../../src/service/platform/db/outbox.ts'
import type { NewFileRow } from '../../src/service/platform/db/schema.ts'
import { writeAccount } from '../../src/service/platform/db/write-account.ts'

export type Sample = Partial<
  Pick<
    NewFileRow,
    'id' | 'name' | 'media_kind' | 'bytes' | 'created_at' | 'delay_reason' | 'progress_percent' | 'readable_ms'
  >
> & { seconds?: number; options?: Partial<OrderOptions>; ready_at?: number | null; delivery_at?: number }

/** The database row of a sample; without a transcript, which no list needs. */
function toRow(sample: Sample, account: string, environment: 'live' | 'sandbox', version: number): NewFileRow {
  const options = applyOptions(sample.options ?? {}, {})
  const seconds = sample.seconds ?? 600
  const createdAt = sample.created_at ?? Date.now()
  const percent = sample.progress_percent ?? 100
  const price = calculatePrice(defaultRates, options, seconds * 1_000, 0)
  return {
    id: sample.id ?? randomBytes(12).toString('hex'),
    account_id: account,
    environment,
    name: sample.name ?? 'Recording',
    media_extension: 'wav',
    media_kind: sample.media_kind ?? 'audio',
    content_hash: randomBytes(32).toString('hex'),
    bytes: sample.bytes ?? Math.round(seconds * 16_000),
    duration_ms: seconds * 1_000,
    cost_cents: price.costCents,
    discount_cents: price.discountCents,
    total_cents: price.totalCents,
    refund_cents: 0,
    currency: 'USD',
    transaction_id: `tx${randomBytes(10).toString('hex')}`,
    created_at: createdAt,
    delivery_at: sample.delivery_at ?? createdAt + 3 * dayMs,
    ready_at: sample.ready_at ?? (percent === 100 ? createdAt + dayMs : null),
    delay_reason: sample.delay_reason ?? null,
    duplicates_json: null,
    options_json: JSON.stringify(options),
    progress_percent: percent,
    version,
    expires_at: environment === 'sandbox' ? createdAt + dayMs : null,
    delete_when_ready: 0,
    given_up: 0,
    readable_ms: sample.readable_ms ?? null,
  }
}

/** The charge for a file at the time of its order. */
function chargeOf(row: NewFileRow, type: OrderOptions['transcript_type']) {
  return {
    account_id: row.account_id,
    kind: 'charge' as const,
    transaction_id: row.transaction_id,
    file_id: row.id,
    file_name: row.name,
    transcript_type: type,
    duration_ms: row.duration_ms,
    amount_cents: row.total_cents,
    currency: row.currency,
    progress_percent: null,
    created_at: row.created_at,
    due_at: row.created_at,
    status: 'settled' as const,
  }
}

/**
 * Inserts files with their charges directly into a service's database, for lists that would take days to order. The
 * service may be running.
 */
export async function seedFiles(
  dataDir: string,
  account: string,
  environment: 'live' | 'sandbox',
  samples: readonly Sample[],
): Promise<string[]> {
  const db = await openDb(join(dataDir, 'parley.db'))
  try {
    return await seedInto(db, account, environment, samples)
  } finally {
    await db.destroy()
  }
}

/** The same in an open database. */
export async function seedInto(
  db: Db,
  account: string,
  environment: 'live' | 'sandbox',
  samples: readonly Sample[],
): Promise<string[]> {
  const rows: NewFileRow[] = []
  const charges: ReturnType<typeof chargeOf>[] = []
  await writeAccount(db, account, async (trx) => {
    for (const sample of samples) {
      const row = toRow(sample, account, environment, await nextFileVersion(trx))
      rows.push(row)
      charges.push(chargeOf(row, applyOptions(sample.options ?? {}, {}).transcript_type))
    }
    // SQLite takes at most 32,766 values per statement.
    for (let from = 0; from < rows.length; from += 500) {
      await trx
        .insertInto('files')
        .values(rows.slice(from, from + 500))
        .execute()
      await trx
        .insertInto('ledger')
        .values(charges.slice(from, from + 500))
        .execute()
    }
  })
  return rows.map(({ id }) => id)
}

/** The file list for the design's screenshots. */
export function pictureSamples(now: number): Sample[] {
  const at = (daysAgo: number, time: string) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    return new Date(now - daysAgo * dayMs).setHours(hours, minutes, 0, 0)
  }
  const manual = { transcript_type: 'manual' } as const
  const automated = { transcript_type: 'automated' } as const
  return [
    {
      name: 'Board meeting — Q3 review',
      seconds: 6128,
      media_kind: 'video',
      created_at: at(3, '09:12'),
      options: { ...manual, strict_verbatim: 'on' },
    },
    {
      name: 'Oral history, tape 14 (A side)',
      seconds: 2791,
      created_at: at(1, '14:02'),
      progress_percent: 72,
      delivery_at: now + 2 * dayMs,
      options: { ...manual, speaker_tracking_format: 'full names' },
    },
    {
      name: 'Field interview 07 — Lagos',
      seconds: 4135,
      created_at: at(2, '11:40'),
      progress_percent: 58,
      delay_reason: 'poor audio',
      options: manual,
    },
    {
      name: 'Podcast ep. 212 raw',
      seconds: 7900,
      created_at: now - 2 * 60_000,
      progress_percent: 31,
      options: automated,
    },
    {
      name: 'Deposition, J. Okafor v. Meridian',
      seconds: 11112,
      media_kind: 'video',
      created_at: at(4, '16:20'),
      options: { ...manual, strict_verbatim: 'on' },
    },
    {
      name: 'Lecture 3: Kepler and the ellipse',
      seconds: 3167,
      media_kind: 'video',
      created_at: at(4, '08:55'),
      options: automated,
    },
    { name: 'Customer call — Nordwind', seconds: 1683, created_at: at(5, '17:47'), options: automated },
    {
      name: 'Panel: cities after cars',
      seconds: 4520,
      created_at: at(7, '12:10'),
      options: { ...manual, subtitle_file: 'on' },
    },
    { name: 'Sermon 2026-11-08', seconds: 2398, created_at: at(9, '20:03'), options: automated },
  ]
}

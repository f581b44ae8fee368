import { sql } from 'kysely'
import type { RecentRefunds } from '../../../contract/account/account.ts'
import type { Usage } from '../../../contract/account/usage.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Account, Database } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'

/** Milliseconds since 1970, `from` inclusive, `to` exclusive. */
export type Span = { from: number | null; to: number | null }

type SummedRow = Omit<Database['ledger_days'], 'account_id'>

/** Daily sums of the entries of part of a day, or of a few days; failed ones were not paid and are excluded. */
async function summedEntries(db: Db, accountId: string, from: number, to: number): Promise<SummedRow[]> {
  if (from >= to) return []
  const { rows } = await sql<SummedRow>`
    select created_at / ${sql.lit(dayMs)} as day, transcript_type, kind, count(*) as entries,
      sum(amount_cents) as amount_cents, sum(duration_ms) as duration_ms
    from ledger
    where account_id = ${accountId} and created_at >= ${from} and created_at < ${to} and status != 'failed'
    group by 1, 2, 3`.execute(db)
  return rows
}

/** Ledger sums by day, type and kind: whole days from `ledger_days`, partial days at both ends from the entries. */
async function summedByDay(db: Db, accountId: string, { from, to }: Span): Promise<SummedRow[]> {
  const [start, end] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER]
  const [firstDay, endDay] = [Math.ceil(start / dayMs), Math.floor(end / dayMs)]
  if (firstDay >= endDay) return await summedEntries(db, accountId, start, end)
  const days = await db
    .selectFrom('ledger_days')
    .select(['day', 'transcript_type', 'kind', 'entries', 'amount_cents', 'duration_ms'])
    .where('account_id', '=', accountId)
    .where('day', '>=', firstDay)
    .where('day', '<', endDay)
    .where('entries', '>', 0)
    .execute()
  return [
    ...(await summedEntries(db, accountId, start, firstDay * dayMs)),
    ...days,
    ...(to === null ? [] : await summedEntries(db, accountId, endDay * dayMs, end)),
  ]
}

/** The month of a day: `2026-11`. */
function toMonth(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 7)
}

async function delivered(db: Db, accountId: string, { from, to }: Span, now: number): Promise<Usage['delivered']> {
  const { rows } = await sql<{ on_time: number; late: number }>`
    select coalesce(sum(case when ready_at <= coalesce(promised_at, delivery_at) then 1 else 0 end), 0) as on_time,
      coalesce(sum(case when coalesce(ready_at, ${now}) > coalesce(promised_at, delivery_at) then 1 else 0 end), 0) as late
    from files
    where account_id = ${accountId} and created_at >= ${from ?? 0} and created_at < ${to ?? Number.MAX_SAFE_INTEGER}`.execute(
    db,
  )
  return rows[0] ?? { on_time: 0, late: 0 }
}

/** The months from the first to the last, including those without entries: `2026-11`, `2026-12`, `2027-01`. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  const at = new Date(`${first}-01T00:00:00Z`)
  while (at.toISOString().slice(0, 7) <= last) {
    months.push(at.toISOString().slice(0, 7))
    at.setUTCMonth(at.getUTCMonth() + 1)
  }
  return months
}

/** Limit on the empty months shown before the first entry, in days. */
const mostDaysBefore = 10 * 365

/** The months of a span, up to now; an open start means the first entry. None if there are no entries. */
function listMonths(days: readonly number[], { from, to }: Span, now: number): string[] {
  if (days.length === 0) return []
  const [first, last] = [Math.min(...days), Math.max(...days)]
  const begin = from === null ? first : Math.max(Math.floor(from / dayMs), first - mostDaysBefore)
  const end = Math.floor(Math.min(to === null ? now : to - 1, now) / dayMs)
  return monthsBetween(toMonth(begin), toMonth(Math.max(end, last)))
}

function sumRows(rows: readonly SummedRow[], type: SummedRow['transcript_type'] | null = null) {
  const charges = rows.filter(
    ({ kind, transcript_type }) => kind === 'charge' && (type ?? transcript_type) === transcript_type,
  )
  return {
    recordings: charges.reduce((sum, row) => sum + row.entries, 0),
    seconds: charges.reduce((sum, row) => sum + row.duration_ms, 0) / 1_000,
    charged_cents: charges.reduce((sum, row) => sum + row.amount_cents, 0),
  }
}

function sumRefunds(rows: readonly SummedRow[]) {
  const refunds = rows.filter(({ kind }) => kind === 'refund')
  return {
    refunds: refunds.reduce((sum, row) => sum + row.entries, 0),
    refunded_cents: refunds.reduce((sum, row) => sum - row.amount_cents, 0),
  }
}

/** Charges and refunds of an account within a span, matching its ledger to the cent. */
export async function readUsage(db: Db, account: Account, span: Span, now: number): Promise<Usage> {
  const rows = await summedByDay(db, account.id, span)
  const byMonth = Map.groupBy(rows, ({ day }) => toMonth(day))
  const months = listMonths([...new Set(rows.map(({ day }) => day))], span, now)
  return {
    currency: account.currency,
    ...sumRows(rows),
    ...sumRefunds(rows),
    by_type: { automated: sumRows(rows, 'automated'), manual: sumRows(rows, 'manual') },
    delivered: await delivered(db, account.id, span, now),
    months: months.map((month) => {
      const ofMonth = byMonth.get(month) ?? []
      const { recordings, seconds } = sumRows(ofMonth)
      return {
        month,
        automated_cents: sumRows(ofMonth, 'automated').charged_cents,
        manual_cents: sumRows(ofMonth, 'manual').charged_cents,
        refunded_cents: sumRefunds(ofMonth).refunded_cents,
        recordings,
        seconds,
      }
    }),
  }
}

const recentMs = 7 * 24 * 60 * 60 * 1_000

/** The sum of refunds of the last seven days, null if there are none; excludes those of failed charges. */
export async function readRecentRefunds(db: Db, accountId: string, now: number): Promise<RecentRefunds | null> {
  const recent = sql`from ledger
    where account_id = ${accountId} and kind = 'refund' and status != 'failed' and created_at > ${now - recentMs}
      and coalesce(via, '') != 'bank'`
  const { rows } = await sql<Omit<RecentRefunds, 'last_due'> & { due_at: number }>`
    select count(*) as count, coalesce(sum(case when status = 'pending' then 1 else 0 end), 0) as pending,
      -coalesce(sum(case when status = 'pending' then amount_cents else 0 end), 0) as pending_cents,
      -coalesce(sum(amount_cents), 0) as amount_cents,
      coalesce(max(case when status = 'pending' then due_at end), max(due_at)) as due_at,
      (select file_name ${recent} order by id desc limit 1) as file_name
    ${recent}`.execute(db)
  const [sums] = rows
  if (sums === undefined || sums.count === 0) return null
  const { due_at, ...plain } = sums
  return { ...plain, last_due: iso(due_at) }
}

import { sql } from 'kysely'
import type { RecentRefunds } from '../../../contract/account/refunds.ts'
import type { Db } from '../../platform/db/open.ts'
import { iso } from '../../platform/iso-time.ts'

const recentMs = 7 * 24 * 60 * 60 * 1_000

/** The sum of refunds of the last seven days, null if there are none; excludes those of failed charges. */
export async function recentRefundsOf(db: Db, accountId: string, now: number): Promise<RecentRefunds | null> {
  const recent = sql`from ledger
    where account_id = ${accountId} and kind = 'refund' and status != 'failed' and created_at > ${now - recentMs}`
  const { rows } = await sql<Omit<RecentRefunds, 'last_due'> & { due_at: number }>`
    select count(*) as count, coalesce(sum(case when status = 'pending' then 1 else 0 end), 0) as pending,
      -coalesce(sum(amount_cents), 0) as amount_cents, max(due_at) as due_at,
      (select file_name ${recent} order by id desc limit 1) as file_name
    ${recent}`.execute(db)
  const [sums] = rows
  if (sums === undefined || sums.count === 0) return null
  const { due_at, ...plain } = sums
  return { ...plain, last_due: iso(due_at) }
}

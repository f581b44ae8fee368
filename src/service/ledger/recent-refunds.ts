import { sql } from 'kysely'
import type { RecentRefunds } from '../../contract/account-usage.ts'
import type { Db } from '../db/open.ts'

const recentMs = 7 * 24 * 60 * 60 * 1_000

/** Refunds of the last seven days in one sum, null where there are none; those of charges that failed are none. */
export async function recentRefundsOf(db: Db, accountId: string, now: number): Promise<RecentRefunds | null> {
  // SQLite takes a plain column from the row of the only max().
  const { rows } = await sql<Omit<RecentRefunds, 'last_due'> & { due_at: number; newest: number }>`
    select count(*) as count, coalesce(sum(status = 'pending'), 0) as pending, -coalesce(sum(amount_cents), 0) as amount_cents,
      max(id) as newest, file_name,
      (select max(due_at) from ledger where account_id = ${accountId} and kind = 'refund' and status != 'failed'
        and created_at > ${now - recentMs}) as due_at
    from ledger
    where account_id = ${accountId} and kind = 'refund' and status != 'failed' and created_at > ${now - recentMs}`.execute(
    db,
  )
  const [sums] = rows
  if (sums === undefined || sums.count === 0) return null
  const { due_at, newest: _, ...plain } = sums
  return { ...plain, last_due: new Date(due_at).toISOString() }
}

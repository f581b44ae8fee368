import { type SqlBool, sql } from 'kysely'
import type { Platform } from '../platform/platform.ts'

/** Closes claims whose hold has expired or whose order was deleted, even if nobody requests those parts again. */
export async function endStaleClaims({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const part = sql`from work_parts where work_parts.id = work_claims.part_id`
  const over = sql`${part} and work_parts.claim = work_claims.claim and held_until <= ${now}`
  await db
    .updateTable('work_claims')
    .set({ ending: 'deleted', ended_at: now })
    .where('ended_at', 'is', null)
    .where(sql<SqlBool>`not exists (select 1 ${part})`)
    .execute()
  await db
    .updateTable('work_claims')
    .set({ ending: 'expired', ended_at: sql<number>`(select held_until ${over})` })
    .where('ended_at', 'is', null)
    .where(sql<SqlBool>`exists (select 1 ${over})`)
    .execute()
}

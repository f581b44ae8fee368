import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Config } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import type { Finding } from './doctor-findings.ts'

type Row = Readonly<Record<string, string | number | null>>
type Query = (text: string) => Promise<Row[]>

const open = 'progress_percent < 100 and given_up = 0'
/** Late orders named one by one; the others are counted. */
const namedLate = 5

/** Checks staff, and orders that wait or are late, with the reasons. Reads only. @throws if the database cannot be read */
export async function checkWork(config: Config, now: number): Promise<Finding[]> {
  const { query, close } = await openQuery(config)
  try {
    return [await checkStaff(query, config), await checkOrders(query, now), await checkLate(query, now)]
  } finally {
    await close()
  }
}

/** Reads either database. @throws if it cannot be opened */
export async function openQuery({ dataDir, postgres }: Config): Promise<{ query: Query; close: () => Promise<void> }> {
  if (postgres === null) {
    const sqlite = new DatabaseSync(dataPaths(dataDir).database, { readOnly: true, timeout: 5_000 })
    return { query: async (text) => sqlite.prepare(text).all() as Row[], close: async () => sqlite.close() }
  }
  const { openMigrated } = await import('../platform/db/postgres/open-postgres.ts')
  const db = await openMigrated(postgres)
  return { query: async (text) => (await sql.raw<Row>(text).execute(db)).rows, close: () => db.destroy() }
}

async function checkStaff(query: Query, { manualOrders }: Config): Promise<Finding> {
  const roles = await query('select role, count(*) as n from staff where revoked_at is null group by role')
  const count = (role: string) => Number(roles.find((row) => row.role === role)?.n ?? 0)
  const [{ n: odd } = {}] = await query("select count(*) as n from work_claims where verdict = 'waiting'")
  const [{ n: parts } = {}] = await query(
    `select count(*) as n from work_parts where step = 'review' and file_id in
      (select id from files where environment = 'live' and ${open})`,
  )
  const oddSteps = `${countOf(Number(odd), 'odd step')} ${Number(odd) === 1 ? 'waits' : 'wait'}`
  const missing = [
    ...(Number(odd) > 0 && count('manager') === 0
      ? [`${oddSteps} for a manager, and there is none: their orders are released after a day`]
      : []),
    ...(Number(parts) > 0 && count('reviewer') + count('manager') === 0
      ? [`${parts} parts wait to be reviewed, and nobody may`]
      : []),
  ]
  const staff = (['typist', 'reviewer', 'manager'] as const).map((role) => countOf(count(role), role)).join(', ')
  const isNobody = manualOrders && roles.length === 0
  const nobody = isNobody
    ? ['nobody types: manual orders are refunded on their delivery date (staff add, or MANUAL_ORDERS=off)']
    : []
  const decide = Number(odd) > 0 && missing.length === 0 ? [`${oddSteps} for a manager`] : []
  return { check: 'staff', ok: missing.length === 0, says: [staff, ...nobody, ...missing, ...decide].join('; ') }
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

const age = (from: unknown, now: number) => {
  const minutes = Math.max(0, Math.round((now - Number(from)) / 60_000))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const steps: Readonly<Record<string, string>> = { type: 'typed', review: 'reviewed', check: 'checked' }

async function checkOrders(query: Query, now: number): Promise<Finding> {
  const [{ n } = {}] = await query(`select count(*) as n from files where environment = 'live' and ${open}`)
  const jobs = await query(
    "select count(*) as n, min(created_at) as since from jobs where state = 'waiting' and kind = 'speech' having count(*) > 0",
  )
  const parts = await query(
    `select step, count(*) as n, min(waiting_since) as since from work_parts where step is not null
      and held_until <= ${now} and file_id in (select id from files where environment = 'live') group by step`,
  )
  const reasons = await query(
    `select delay_reason as reason, count(*) as n, min(created_at) as since from files
      where environment = 'live' and ${open} and delay_reason is not null group by delay_reason`,
  )
  const lines = [
    ...jobs.map((row) => `${row.n} wait to be recognized, the oldest for ${age(row.since, now)}`),
    ...parts.map((row) => {
      const waits = `${countOf(Number(row.n), 'part')} to be ${steps[String(row.step)]}`
      return `${waits}, the oldest for ${age(row.since, now)}`
    }),
    ...reasons.map((row) => `${row.n}: “${row.reason}”, the oldest ordered ${age(row.since, now)} ago`),
  ]
  return { check: 'orders', ok: true, says: [`${n} live in progress`, ...lines].join('; ') }
}

async function checkLate(query: Query, now: number): Promise<Finding> {
  const late = await query(
    `select id, delivery_at, promised_at, delay_reason from files where environment = 'live' and ${open}
      and (delivery_at < ${now} or promised_at < ${now}) order by coalesce(promised_at, delivery_at)`,
  )
  if (late.length === 0) return { check: 'late', ok: true, says: 'no live order is late' }
  const named = late.slice(0, namedLate).map((row) => {
    return `${row.id} by ${age(row.promised_at ?? row.delivery_at, now)} (${row.delay_reason ?? 'no reason is known'})`
  })
  const more = late.length > namedLate ? [`and ${late.length - namedLate} more`] : []
  return { check: 'late', ok: false, says: [...named, ...more].join('; ') }
}

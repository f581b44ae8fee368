import { createHash } from 'node:crypto'
import { type Expression, type SqlBool, sql } from 'kysely'
import { dayMs } from '../../contract/common/durations.ts'
import { optionTable } from '../../contract/interface/option-table.ts'
import {
  isInForce,
  type OrderOptions,
  optionNames,
  readStoredOptions,
  specDefaultOptions,
} from '../../contract/interface/option-values.ts'
import type { QueueEntry, QueuePage } from '../../contract/work/parts.ts'
import { stepsOfRole, type WorkStep } from '../../contract/work/staff.ts'
import type { Checkers } from '../platform/config.ts'
import type { Db } from '../platform/db/open.ts'
import type { Cursor } from '../platform/db/pages.ts'
import type { Staff } from '../platform/db/schema.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { isReReview, payCents, payWords } from './parts.ts'
import { reReviewDue } from './re-review.ts'
import { isSandboxStaff } from './sandbox-staff.ts'

/** Words with a lower mean confidence count as hard; from the higher threshold on, as easy. */
const hardBelow = 0.6
const easyFrom = 0.85

/** A filter for the requested parts: of one step, or a single one. */
export type Wanted = { step?: WorkStep | undefined; part?: string; checkers: Checkers }

/** Whether a staff member worked on the text of a part: then they may not review it. */
export const hasTyped = (partId: Expression<string>, staffId: string) =>
  sql<SqlBool>`exists (select 1 from work_claims where work_claims.part_id = ${partId} and work_claims.staff_id = ${staffId}
    and work_claims.step = 'type' and (work_claims.saves > 0 or work_claims.ending = 'submitted'))`

const hasReviewed = (staffId: Expression<string>) =>
  sql<SqlBool>`exists (select 1 from work_claims where work_claims.file_id = work_parts.file_id
    and work_claims.staff_id = ${staffId} and work_claims.step = 'review' and work_claims.ending = 'submitted')`

/** Whether this order's check or re-review is for somebody else than this staff member, who has reviewed in it. */
export function mustLeaveCheck(staffId: string, checkers: Checkers) {
  const others = sql`exists (select 1 from staff where revoked_at is null and role in ('reviewer', 'manager')
    and not ${hasReviewed(sql.ref('staff.id'))})`
  const isFree = sql`work_parts.step = 'check' and assigned_to is null`
  if (checkers === 'anyone') return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`(${isFree} and ${hasReviewed(sql`${staffId}`)} ${checkers === 'other' ? sql`and ${others}` : sql``})`
}

/** Parts that a staff member may claim now, unordered: of live orders; for simulated staff, the sandbox's. */
export function takable(
  db: Db,
  { id: staffId, role }: Pick<Staff, 'id' | 'role'>,
  now: number,
  { step, part, checkers }: Wanted,
) {
  const steps = stepsOfRole[role].filter((each) => step === undefined || each === step)
  return db
    .selectFrom('work_parts')
    .innerJoin('files', 'files.id', 'work_parts.file_id')
    .where('files.environment', '=', isSandboxStaff({ id: staffId }) ? 'sandbox' : 'live')
    .where('files.given_up', '=', 0)
    .where('work_parts.step', 'in', [...steps, '' as WorkStep])
    .where('work_parts.held_until', '<=', now)
    .where((eb) => eb.or([eb('assigned_to', 'is', null), eb('assigned_to', '=', staffId)]))
    .where((eb) => eb.not(eb.and([eb('work_parts.step', '=', 'review'), hasTyped(eb.ref('work_parts.id'), staffId)])))
    .where((eb) => eb.not(mustLeaveCheck(staffId, checkers)))
    .$if(part !== undefined, (query) => query.where('work_parts.id', '=', part ?? ''))
}

/**
 * Queue order: assigned parts first, then by due date. A delivered file is due a day after its re-review was requested;
 * over a weekend it ranks slightly earlier than its date.
 */
export const orderByDue = (staffId: string) =>
  sql<number>`case when work_parts.assigned_to = ${staffId} then 0
    when work_parts.position = 0 and work_parts.reached >= 3 then work_parts.waiting_since + ${sql.lit(dayMs)}
    else files.delivery_at end`

type PartRow = Awaited<ReturnType<typeof readParts>>[number]

function readParts(db: Db, ids: readonly string[], staffId: string) {
  return db
    .selectFrom('work_parts')
    .innerJoin('files', 'files.id', 'work_parts.file_id')
    .innerJoin('work_texts', 'work_texts.part_id', 'work_parts.id')
    .selectAll('work_parts')
    .select(['files.delivery_at', 'files.options_json', 'work_texts.revision', 'work_texts.names_json'])
    .select((eb) =>
      eb
        .selectFrom('work_parts as other')
        .select((other) => other.fn.countAll<number>().as('parts'))
        .whereRef('other.file_id', '=', 'work_parts.file_id')
        .where('other.position', '>', 0)
        .as('parts'),
    )
    .select(
      sql<number>`(select count(*) from work_claims where part_id = work_parts.id and staff_id = ${staffId}
        and work_claims.step = work_parts.step and pay_cents > 0 and (verdict is null or verdict = 'accepted'))`.as(
        'paid',
      ),
    )
    .where('work_parts.id', 'in', [...ids, ''])
    .execute()
}

function optionsInWords(options: OrderOptions): string[] {
  return optionNames.flatMap((name) => {
    const option = optionTable[name]
    const isUsual = options[name] === specDefaultOptions[name]
    if (name === 'transcript_type' || isUsual || !('values' in option) || !isInForce(name, options)) return []
    const words = (option.values as Readonly<Record<string, string>>)[String(options[name])]
    return words === undefined ? [] : [words]
  })
}

function rateDifficulty(meanConf: number | null): QueueEntry['difficulty'] {
  if (meanConf === null) return null
  return meanConf < hardBelow ? 'hard' : meanConf < easyFrom ? 'usual' : 'easy'
}

const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Tells the parts of one order from those of others, without giving away which order it is. */
function orderCode(fileId: string): string {
  const digest = createHash('sha256').update(fileId).digest()
  return [...digest.subarray(0, 3)].map((byte) => codeLetters[byte % codeLetters.length]).join('')
}

function toQueueEntry(row: PartRow, staffId: string, pay: WorkPay | null): QueueEntry {
  const step = row.step ?? 'check'
  const options = readStoredOptions(row.options_json)
  return {
    id: row.id,
    step,
    position: row.position,
    of: row.parts ?? 0,
    order: orderCode(row.file_id),
    start: row.start_ms / 1_000,
    end: row.end_ms / 1_000,
    due: new Date(isReReview(row) ? reReviewDue(row) : row.delivery_at).toISOString(),
    speakers: JSON.parse(row.names_json).length || null,
    difficulty: rateDifficulty(row.mean_conf),
    options: optionsInWords(options),
    has_instructions: options.instructions !== '' || options.custom_formatting_details !== '',
    pay: payWords(pay, Number(row.paid) > 0 ? 0 : payCents(pay, step, row.end_ms - row.start_ms)),
    is_begun: row.revision > 0,
    rework: JSON.parse(row.rework_json),
    is_assigned: row.assigned_to === staffId,
  }
}

/** Returns entries for these parts, in this order, without deleted ones. */
export async function listQueue(
  db: Db,
  ids: readonly string[],
  staffId: string,
  pay: WorkPay | null,
): Promise<QueueEntry[]> {
  const rows = new Map((await readParts(db, ids, staffId)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row === undefined ? [] : [toQueueEntry(row, staffId, pay)]
  })
}

type Page = {
  step: WorkStep | undefined
  cursor: Cursor | null
  limit: number
  pay: WorkPay | null
  checkers?: Checkers
}

/** Returns a page of the parts that a staff member may claim. */
export async function readQueue(
  db: Db,
  staff: Staff,
  now: number,
  { step, cursor, limit, pay, checkers = 'anyone' }: Page,
): Promise<QueuePage> {
  const place = orderByDue(staff.id)
  const mine = takable(db, staff, now, { step, checkers })
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await mine
    .select(['work_parts.id', place.as('createdAt')])
    .$if(cursor !== null, (query) =>
      query.where(sql<SqlBool>`(${place}, work_parts.id) > (${cursor?.createdAt ?? 0}, ${cursor?.id ?? ''})`),
    )
    .orderBy(place)
    .orderBy('work_parts.id')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    parts: await listQueue(
      db,
      page.map(({ id }) => id),
      staff.id,
      pay,
    ),
    total,
    next_cursor: rows.length > limit && last !== undefined ? `${last.createdAt}-${last.id}` : null,
  }
}

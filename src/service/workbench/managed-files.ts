import { type SqlBool, sql } from 'kysely'
import type { ManagedFile, ManagedFiles, ManagedPart, WorkRecord } from '../../contract/work/managers.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { fileNotFound } from '../orders/file/own-file.ts'
import type { Db } from '../platform/db/open.ts'
import type { WorkPart } from '../platform/db/schema.ts'
import { iso } from '../platform/iso-time.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { changedByCustomer } from './customer-changes.ts'
import { isReReview, payWords } from './parts.ts'
import { toFigures } from './past-steps.ts'
import { reReviewDue } from './re-review.ts'
import { sandboxStaffIds } from './sandbox-staff.ts'
import { checkedReached } from './steps.ts'

const recentMs = 7 * 24 * 60 * 60_000
/** How long before its due date a late order is announced. */
export const forecastMs = 4 * 60 * 60_000
/** Steps that a part waiting for each one still needs, before the check of the whole. */
const stepsLeft: Readonly<Record<WorkStep, number>> = { type: 2, review: 1, check: 0 }

/** The staff's pace over all steps: milliseconds of audio per millisecond of wall time; 0 if unknown. */
async function measurePace(db: Db, now: number): Promise<number> {
  const { sound, first } = await db
    .selectFrom('work_claims')
    .select((eb) => [eb.fn.sum<number>('sound_ms').as('sound'), eb.fn.min('claimed_at').as('first')])
    .where('ending', '=', 'submitted')
    .where('staff_id', 'not in', sandboxStaffIds)
    .where('ended_at', '>', now - recentMs)
    .executeTakeFirstOrThrow()
  return Number(sound ?? 0) / Math.max(1, now - (first ?? now))
}

/** Live orders in progress: not delivered yet, or under re-review. */
const isWorkedOn = sql<SqlBool>`files.environment = 'live' and files.given_up = 0 and (files.progress_percent < 100
  or files.id in (select file_id from work_parts where step = 'check' and position = 0 and reached >= 3))`

async function openFiles(db: Db) {
  return await db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .selectAll('files')
    .select('accounts.name as account_name')
    .where(isWorkedOn)
    .where((eb) =>
      eb.or([
        eb('files.id', 'in', eb.selectFrom('work_parts').select('file_id')),
        // Recognized first, or waiting for staff.
        eb('files.options_json', 'like', '%"transcript_type":"manual"%'),
      ]),
    )
    .orderBy('files.id')
    .execute()
}

/** An order with its parts, including the check of the whole. */
type Worked = { file: Awaited<ReturnType<typeof openFiles>>[number]; parts: readonly WorkPart[]; toDecide: number }

function findDueTime({ file, parts }: Worked): number {
  const again = parts.find(isReReview)
  return again === undefined ? file.delivery_at : reReviewDue(again)
}

/** Audio left to work through until an order is ready, over all steps, in milliseconds. */
function sumWorkLeft({ file, parts }: Worked): number {
  const left = ({ step, start_ms, end_ms }: WorkPart) => (step ? stepsLeft[step] : 0) * (end_ms - start_ms)
  const before = parts.length === 0 ? stepsLeft.type * file.duration_ms : 0
  return parts.reduce((ms, part) => ms + (part.position > 0 ? left(part) : 0), file.duration_ms + before)
}

function toManagedFile(worked: Worked, forecast: number | null, now: number): ManagedFile {
  const { file, parts, toDecide } = worked
  const own = parts.filter(({ position }) => position > 0)
  const due = findDueTime(worked)
  const willBeLate = due - now < forecastMs && (forecast === null || forecast > due)
  return {
    ...{ id: file.id, name: file.name, account: file.account_name, seconds: file.duration_ms / 1_000 },
    ...{ progress_percent: file.progress_percent, created: iso(file.created_at), due: iso(due) },
    forecast: forecast === null ? null : iso(forecast),
    is_re_review: parts.some(isReReview),
    is_heard_first: own.length === 0,
    is_late: due < now || willBeLate,
    delay_reason: file.delay_reason,
    parts: own.length,
    typed: own.filter(({ reached }) => reached >= 1).length,
    reviewed: own.filter(({ reached }) => reached >= 2).length,
    held: parts.filter(({ held_until }) => held_until > now).length,
    is_checked: parts.some(
      ({ position, reached, step }) => position === 0 && reached >= checkedReached && step === null,
    ),
    to_decide: toDecide,
  }
}

/** Lists orders in progress with their state, and forecasts completion at the recent pace. */
export async function listManagedFiles(db: Db, now: number): Promise<ManagedFiles> {
  const files = await openFiles(db)
  const parts = await db
    .selectFrom('work_parts')
    .innerJoin('files', 'files.id', 'work_parts.file_id')
    .selectAll('work_parts')
    .where(isWorkedOn)
    .execute()
  const byFile = Map.groupBy(parts, ({ file_id }) => file_id)
  const undecided = await db
    .selectFrom('work_claims')
    .select((eb) => ['file_id', eb.fn.countAll<number>().as('count')])
    .where('verdict', '=', 'waiting')
    .groupBy('file_id')
    .execute()
  const toDecide = new Map(undecided.map(({ file_id, count }) => [file_id, Number(count)]))
  const worked = files.map((file): Worked => {
    return { file, parts: byFile.get(file.id) ?? [], toDecide: toDecide.get(file.id) ?? 0 }
  })
  const pace = await measurePace(db, now)
  let aheadMs = 0
  return {
    files: worked
      .toSorted((one, two) => findDueTime(one) - findDueTime(two))
      .map((each) => {
        aheadMs += sumWorkLeft(each)
        return toManagedFile(each, pace > 0 ? Math.round(now + aheadMs / pace) : null, now)
      }),
    waiting: waitingBySteps(parts, now),
  }
}

function waitingBySteps(parts: readonly WorkPart[], now: number): ManagedFiles['waiting'] {
  const waiting = Map.groupBy(
    parts.filter(({ step, held_until }) => step !== null && held_until <= now),
    ({ step }) => step as WorkStep,
  )
  return [...waiting].map(([step, each]) => ({
    step,
    parts: each.length,
    seconds: each.reduce((ms, { start_ms, end_ms }) => ms + end_ms - start_ms, 0) / 1_000,
    oldest: iso(Math.min(...each.map(({ waiting_since }) => waiting_since))),
  }))
}

/** Lists the parts of one order, with their history. @throws ServiceError 404 */
export async function listManagedParts(
  db: Db,
  fileId: string,
  pay: WorkPay | null,
  now: number,
): Promise<ManagedPart[]> {
  const parts = await db
    .selectFrom('work_parts')
    .selectAll()
    .where('file_id', '=', fileId)
    .orderBy('position')
    .execute()
  if (parts.length === 0) throw fileNotFound()
  const claims = await db
    .selectFrom('work_claims')
    .innerJoin('staff', 'staff.id', 'work_claims.staff_id')
    .selectAll('work_claims')
    .select('staff.name')
    .where('file_id', '=', fileId)
    .orderBy('claim')
    .execute()
  const changed = await changedByCustomer(db, fileId)
  const history = Map.groupBy(claims, ({ part_id }) => part_id)
  const isHeld = ({ held_until }: WorkPart) => held_until > now
  return parts.map((part): ManagedPart => {
    const { id, position, step, blanks } = part
    const records = (history.get(id) ?? []).map((each): WorkRecord => {
      const expired = each.ended_at === null && !(isHeld(part) && each.claim === part.claim)
      const endedAt = expired ? part.held_until : each.ended_at
      return {
        ...{ claim: each.claim, step: each.step, staff: each.staff_id, staff_name: each.name },
        from: iso(each.claimed_at),
        to: endedAt === null ? null : iso(endedAt),
        end: expired ? 'expired' : each.ending,
        is_own_verdict: each.decided_by === each.staff_id,
        ...{ reason: each.reason, verdict: each.verdict, pay: payWords(pay, each.pay_cents) },
        ...toFigures(each),
      }
    })
    return {
      ...{ id, position, start: part.start_ms / 1_000, end: part.end_ms / 1_000, step, blanks, history: records },
      holder: isHeld(part) ? part.staff_id : null,
      held_until: isHeld(part) ? iso(part.held_until) : null,
      assigned_to: part.assigned_to,
      changed_by_customer: changed.get(id) ?? 0,
    }
  })
}

import type { ManagedFile, ManagedFiles, ManagedPart, WorkRecord } from '../../contract/work-managers.ts'
import type { WorkStep } from '../../contract/work-staff.ts'
import type { Db } from '../db/open.ts'
import type { WorkPart } from '../db/schema.ts'
import { fileNotFound } from '../orders/own-file.ts'
import { changedByCustomer } from './customer-changes.ts'
import { sandboxStaffIds } from './sandbox-staff.ts'

const recentMs = 7 * 24 * 60 * 60_000
/** An order that will be late is told of so long before it is. */
export const forecastMs = 4 * 60 * 60_000
/** How many steps are left of a part before each; then comes the check of the whole. */
const stepsLeft: Readonly<Record<WorkStep, number>> = { type: 2, review: 1, check: 0 }

const iso = (at: number) => new Date(at).toISOString()

/** How much sound the staff gets through, all steps counted, in milliseconds of it for each of the clock; 0: nobody knows. */
async function paceOf(db: Db, now: number): Promise<number> {
  const { sound, first } = await db
    .selectFrom('work_claims')
    .select((eb) => [eb.fn.sum<number>('sound_ms').as('sound'), eb.fn.min('claimed_at').as('first')])
    .where('ending', '=', 'submitted')
    .where('staff_id', 'not in', sandboxStaffIds)
    .where('ended_at', '>', now - recentMs)
    .executeTakeFirstOrThrow()
  return Number(sound ?? 0) / Math.max(1, now - (first ?? now))
}

/** Unfinished live orders that are cut into parts, what is due first before others. */
async function openFiles(db: Db) {
  return await db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .selectAll('files')
    .select('accounts.name as account_name')
    .where('files.environment', '=', 'live')
    .where('progress_percent', '<', 100)
    .where('given_up', '=', 0)
    .where('files.id', 'in', (eb) => eb.selectFrom('work_parts').select('file_id'))
    .orderBy('delivery_at')
    .orderBy('files.id')
    .execute()
}

/** All unfinished orders with what is done of them, and when each will be ready if work goes on as of late. */
export async function managedFilesOf(db: Db, now: number): Promise<ManagedFiles> {
  const files = await openFiles(db)
  const parts = await db
    .selectFrom('work_parts')
    .innerJoin('files', 'files.id', 'work_parts.file_id')
    .selectAll('work_parts')
    .where('files.environment', '=', 'live')
    .where('progress_percent', '<', 100)
    .where('given_up', '=', 0)
    .execute()
  const byFile = Map.groupBy(parts, ({ file_id }) => file_id)
  const pace = await paceOf(db, now)
  let aheadMs = 0
  return {
    files: files.map((file): ManagedFile => {
      const own = (byFile.get(file.id) ?? []).filter(({ position }) => position > 0)
      const whole = byFile.get(file.id)?.find(({ position }) => position === 0)
      const left = own.reduce(
        (ms, { step, start_ms, end_ms }) => ms + (step ? stepsLeft[step] : 0) * (end_ms - start_ms),
        0,
      )
      aheadMs += left + file.duration_ms
      const forecast = pace > 0 ? Math.round(now + aheadMs / pace) : null
      const willBeLate = file.delivery_at - now < forecastMs && (forecast === null || forecast > file.delivery_at)
      return {
        ...{ id: file.id, name: file.name, account: file.account_name, seconds: file.duration_ms / 1_000 },
        ...{ progress_percent: file.progress_percent, created: iso(file.created_at), due: iso(file.delivery_at) },
        forecast: forecast === null ? null : iso(forecast),
        is_late: file.delivery_at < now || willBeLate,
        delay_reason: file.delay_reason,
        parts: own.length,
        typed: own.filter(({ reached }) => reached >= 1).length,
        reviewed: own.filter(({ reached }) => reached >= 2).length,
        held: [...own, ...(whole ? [whole] : [])].filter(({ held_until }) => held_until > now).length,
        is_checked: (whole?.reached ?? 0) >= 3,
      }
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

/** The parts of one order, with their history. @throws ServiceError 404 */
export async function managedPartsOf(db: Db, fileId: string, now: number): Promise<ManagedPart[]> {
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
        ...{ reason: each.reason, words: each.words, changed_words: each.changed_words },
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

import type { Updateable } from 'kysely'
import type { ClaimEnd } from '../../contract/work/managers.ts'
import type { Claim, NewClaim, ReturnReason } from '../../contract/work/parts.ts'
import { stepsOfRole } from '../../contract/work/staff.ts'
import type { Checkers } from '../platform/config.ts'
import { isPostgres } from '../platform/db/leases.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { Database, Staff, WorkPart } from '../platform/db/schema.ts'
import { iso } from '../platform/iso-time.ts'
import { ServiceError } from '../platform/service-error.ts'
import { addStretches } from './parts.ts'
import { hasTyped, mustLeaveCheck, orderByDue, takable } from './queue.ts'

/*
 * A part has one holder at a time. Claiming is one conditional update of its row, which increments `claim` (a fencing
 * token) and is recorded in `work_claims`; every later write names that number, so that a page whose hold has ended
 * changes nothing, whatever its clock says.
 */

export const holdMs = 15 * 60_000
export const longestHoldMs = 24 * 60 * 60_000

/** A part currently held by a staff member. */
export type Held = WorkPart & { staff_id: string }

function toClaim({ id, claim, held_until }: Pick<WorkPart, 'id' | 'claim' | 'held_until'>): Claim {
  return { part: id, claim, held_until: iso(held_until) }
}

/**
 * Claims a part, or the next one in the queue.
 * @param checkers `WORK_CHECK`
 * @throws ServiceError 403, 404, 409 (`newClaim`)
 */
export async function takePart(
  db: Db,
  staff: Staff,
  { part, step }: NewClaim,
  now: number,
  checkers: Checkers = 'anyone',
): Promise<Claim> {
  const wanted = part === null ? { step, checkers } : { part, step, checkers }
  const taken = await db.transaction().execute(async (trx) => {
    const next = await takable(trx, staff, now, wanted)
      .select(['work_parts.id', 'work_parts.claim'])
      .orderBy(orderByDue(staff.id))
      .orderBy('work_parts.id')
      .limit(1)
      // Concurrent claims skip to the next one.
      .$if(isPostgres(trx), (query) => query.forUpdate('work_parts').skipLocked())
      .executeTakeFirst()
    return next === undefined ? null : await hold(trx, next.id, staff.id, now)
  })
  if (taken !== null) return toClaim(taken)
  if (part === null) throw new ServiceError(404, 'There is nothing to take at the moment.')
  throw await whyNot(db, staff, part, now, checkers)
}

/** Assigns a free part, locked by this transaction, to a staff member. */
async function hold(trx: Trx, partId: string, staffId: string, now: number): Promise<WorkPart> {
  await endClaim(trx, partId, 'expired', now)
  const part = await trx
    .updateTable('work_parts')
    .set((eb) => ({ staff_id: staffId, claim: eb('claim', '+', 1), claimed_at: now, held_until: now + holdMs }))
    .where('id', '=', partId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { claim, file_id, step, start_ms, end_ms } = part
  const books = { part_id: partId, claim, file_id, staff_id: staffId, sound_ms: end_ms - start_ms, claimed_at: now }
  await trx
    .insertInto('work_claims')
    .values({ ...books, step: step ?? 'check' })
    .execute()
  return part
}

/**
 * Closes the newest claim of a part in `work_claims`, if still open. One whose hold has ended has expired then, whatever
 * happens to the part now.
 */
export async function endClaim(
  trx: Trx,
  partId: string,
  ending: ClaimEnd,
  now: number,
  more: Omit<Updateable<Database['work_claims']>, 'ended_at' | 'ending'> = {},
): Promise<void> {
  const part = await trx.selectFrom('work_parts').select('held_until').where('id', '=', partId).executeTakeFirst()
  const heldUntil = part?.held_until || now + 1
  await trx
    .updateTable('work_claims')
    .set(heldUntil > now ? { ended_at: now, ending, ...more } : { ended_at: heldUntil, ending: 'expired' })
    .where('part_id', '=', partId)
    .where('ended_at', 'is', null)
    .execute()
}

async function whyNot(
  db: Db,
  { id: staffId, role }: Staff,
  partId: string,
  now: number,
  checkers: Checkers,
): Promise<ServiceError> {
  const part = await db
    .selectFrom('work_parts')
    .select((eb) => ['step', 'held_until', 'assigned_to', hasTyped(eb.ref('work_parts.id'), staffId).as('typed')])
    .select(mustLeaveCheck(staffId, checkers).as('reviewed'))
    .where('id', '=', partId)
    .executeTakeFirst()
  if (part === undefined) return partGone()
  if (part.step === null) return new ServiceError(409, 'This part is finished.')
  if (!stepsOfRole[role].includes(part.step)) {
    return new ServiceError(403, `A ${role} cannot ${part.step} a part; another role is needed for that.`)
  }
  if (part.step === 'review' && part.typed) {
    return new ServiceError(403, 'You have typed in this part: somebody else reviews it.')
  }
  if (part.step === 'check' && part.reviewed) {
    return new ServiceError(403, 'You have reviewed in this file: somebody else checks it.')
  }
  if (part.held_until > now) return new ServiceError(409, 'Somebody else has taken this part.')
  if (part.assigned_to !== null && part.assigned_to !== staffId) {
    return new ServiceError(409, 'A manager has given this part to somebody else.')
  }
  return new ServiceError(409, 'Somebody else was faster. Take another part.')
}

/** The error for work on a part that no longer exists. */
export function partGone(): ServiceError {
  return new ServiceError(404, 'There is no such part. Its order may have been deleted.')
}

/** Reads a part; in a transaction, locks it until that ends. */
export async function lockedPart(db: Db, partId: string): Promise<WorkPart | undefined> {
  return await db
    .selectFrom('work_parts')
    .selectAll()
    .where('id', '=', partId)
    .$if(db.isTransaction && isPostgres(db), (query) => query.forUpdate())
    .executeTakeFirst()
}

/**
 * Returns the part held with a claim; in a transaction, locks it, so that only its holder writes.
 * @throws ServiceError 409 if the hold has ended or somebody else has taken the part since, 410 if the order was
 * deleted, 404 if they never had it
 */
export async function requireHeld(db: Db, staff: Staff, partId: string, claim: number, now: number): Promise<Held> {
  const part = await lockedPart(db, partId)
  if (part === undefined) throw await deletedMeanwhile(db, staff, partId, claim, now)
  if (part.staff_id === staff.id && part.claim === claim && part.held_until > now) return part as Held
  throw part.claim === claim || part.held_until <= now
    ? new ServiceError(409, 'Your hold on this part has ended. What was saved is kept for whoever takes it next.')
    : new ServiceError(409, 'Somebody else has this part by now. They have what you saved.')
}

/** Keeps the hours in `work_claims` of staff whose part was deleted while they worked on it. */
async function deletedMeanwhile(
  db: Db,
  staff: Staff,
  partId: string,
  claim: number,
  now: number,
): Promise<ServiceError> {
  const ofClaim = { part_id: partId, claim, staff_id: staff.id }
  const known = await db
    .selectFrom('work_claims')
    .selectAll()
    .where((eb) => eb.and(ofClaim))
    .executeTakeFirst()
  if (known === undefined) return partGone()
  const ended_at = Math.min(now, known.claimed_at + longestHoldMs)
  const open = db
    .updateTable('work_claims')
    .set({ ended_at, ending: 'deleted' })
    .where((eb) => eb.and(ofClaim))
  await open.where('ended_at', 'is', null).execute()
  return new ServiceError(410, 'The customer has deleted this order. Your time on it is kept in the books.')
}

/** Changes a part within its hold. @throws ServiceError as `requireHeld`; errors of `work` roll back */
export async function whileHeld<Result>(
  db: Db,
  staff: Staff,
  [partId, claim]: readonly [partId: string, claim: number],
  now: number,
  work: (trx: Trx, part: Held) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(async (trx) => work(trx, await requireHeld(trx, staff, partId, claim, now)))
  } catch (error) {
    // The `work_claims` update was rolled back with the transaction: repeat it outside.
    if (error instanceof ServiceError && error.status === 410) await requireHeld(db, staff, partId, claim, now)
    throw error
  }
}

/** Renews a hold, up to a day after it was taken, and records the stretches played. */
export async function renewHold(
  db: Db,
  staff: Staff,
  claim: readonly [partId: string, claim: number],
  heard: readonly (readonly [number, number])[],
  now: number,
): Promise<Claim> {
  return await whileHeld(db, staff, claim, now, async (trx, part) => {
    const held_until = Math.min(now + holdMs, part.claimed_at + longestHoldMs)
    const heard_json = addStretches(part.heard_json, heard)
    await trx.updateTable('work_parts').set({ held_until, heard_json }).where('id', '=', part.id).execute()
    return toClaim({ ...part, held_until })
  })
}

/** Frees a part: it waits for its step as before, keeping the typed text. */
export async function freePart(trx: Trx, part: Pick<WorkPart, 'id'>): Promise<void> {
  await trx
    .updateTable('work_parts')
    .set({ staff_id: null, held_until: 0, assigned_to: null })
    .where('id', '=', part.id)
    .execute()
}

/** Releases a held part. */
export async function giveBack(
  db: Db,
  staff: Staff,
  claim: readonly [partId: string, claim: number],
  reason: ReturnReason,
  now: number,
): Promise<void> {
  await whileHeld(db, staff, claim, now, async (trx, part) => {
    await endClaim(trx, part.id, 'returned', now, { reason })
    await freePart(trx, part)
  })
}

/** Returns the parts held by a staff member. */
export async function heldBy(db: Db, staffId: string, now: number): Promise<{ part: string; claim: number }[]> {
  return await db
    .selectFrom('work_parts')
    .select(['id as part', 'claim'])
    .where('staff_id', '=', staffId)
    .where('held_until', '>', now)
    .orderBy('claimed_at')
    .execute()
}

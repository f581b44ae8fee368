import { sql } from 'kysely'
import type { RefundReason } from '../../contract/account/usage.ts'
import type { StaffMember } from '../../contract/work/managers.ts'
import { stepsOfRole, type WorkStep } from '../../contract/work/staff.ts'
import { writeFile } from '../orders/file/change-file.ts'
import { type DelayReason, delayReasons, putOff } from '../orders/file/delays.ts'
import { fileNotFound } from '../orders/file/own-file.ts'
import { giveUpIn, parseOptions } from '../orders/file/progress.ts'
import { isUnbegun } from '../orders/file/unbegun.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { FileRow } from '../platform/db/schema.ts'
import type { AccountTrx } from '../platform/db/write-account.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { endClaim, freePart, lockedPart } from './claims.ts'
import { changedByCustomer } from './customer-changes.ts'
import { forecastMs, listManagedFiles } from './managed-files.ts'
import { payWords } from './parts.ts'
import { hoursOf, sumPay } from './pay-month.ts'
import { hasTyped } from './queue.ts'
import { sandboxStaffIds } from './sandbox-staff.ts'
import { heardShare } from './steps.ts'

const booksMs = 30 * 24 * 60 * 60_000

/**
 * Reserves a part for one staff member, or frees it for all; its current holder loses it.
 * @throws ServiceError 404, 409
 */
export async function assignPart(db: Db, partId: string, staffId: string | null, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const part = await lockedPart(trx, partId)
    if (part === undefined) throw new ServiceError(404, 'There is no such part.')
    if (part.step === null) throw new ServiceError(409, 'This part is finished.')
    if (staffId !== null) await requireAble(trx, staffId, part.id, part.step)
    if (part.staff_id !== null && part.staff_id !== staffId) {
      await endClaim(trx, partId, 'taken', now)
      await freePart(trx, part)
    }
    await trx.updateTable('work_parts').set({ assigned_to: staffId }).where('id', '=', partId).execute()
  })
}

/** A part reserved for somebody who may not take it would wait for ever. @throws ServiceError 404, 409 */
async function requireAble(trx: Trx, staffId: string, partId: string, step: WorkStep): Promise<void> {
  const member = await trx
    .selectFrom('staff')
    .select(['name', 'role', hasTyped(sql.val(partId), staffId).as('typed')])
    .where('id', '=', staffId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (member === undefined) throw new ServiceError(404, 'Nobody of the staff has this id.')
  const { name, role, typed } = member
  if (!stepsOfRole[role].includes(step)) throw new ServiceError(409, `${name} is a ${role}, and cannot ${step} a part.`)
  if (step === 'review' && typed)
    throw new ServiceError(409, `${name} has typed in this part: somebody else reviews it.`)
}

/** Postpones an order, with a reason from the list. @throws ServiceError 400, 404, 409 */
export async function delayFile(
  platform: Platform,
  fileId: string,
  reason: string,
  until: number | null,
): Promise<void> {
  if (!Object.hasOwn(delayReasons, reason)) {
    throw new ServiceError(400, `"reason" must be one of: ${Object.keys(delayReasons).join(', ')}.`)
  }
  if (until !== null && until <= platform.clock()) throw new ServiceError(400, '"until" must be in the future.')
  const file = await putOff(platform, fileId, reason as DelayReason, { until })
  if (file === null) throw fileNotFound()
  if (file.progress_percent === 100 || file.given_up === 1) throw new ServiceError(409, 'The order is finished.')
}

/**
 * Gives up an unintelligible recording: work on it ends, and all charges are refunded.
 * @throws ServiceError 404, 409
 */
export async function refundFile(platform: Platform, fileId: string, reason: string): Promise<void> {
  const { db, clock, changes } = platform
  const ended = await writeFile(db, fileId, async (trx, file) => {
    if (file.progress_percent === 100)
      throw new ServiceError(409, 'The transcript is delivered; it is refunded no more.')
    if (file.given_up === 1) throw new ServiceError(409, 'This order has been refunded already.')
    const isManual = parseOptions(file).transcript_type === 'manual' && file.environment === 'live'
    if (!isManual) throw fileNotFound()
    return await endOrder(trx, file, { reason: 'given-up', words: reason }, clock())
  })
  if (ended === null) throw fileNotFound()
  changes.notify({ kind: 'file', accountId: ended.account_id, fileId })
  await platform.blobs.remove(fileId, 'sound')
}

/**
 * Ends all work on an order and refunds it in full.
 * @param isDue asked once nobody can take a part any more; false: nothing is changed
 * @returns the row afterwards; null if it was not due
 */
export async function endOrder(
  trx: AccountTrx,
  file: FileRow,
  { reason, words }: { reason: RefundReason; words: string },
  now: number,
  isDue: () => Promise<boolean> = async () => true,
): Promise<FileRow | null> {
  const parts = await trx.selectFrom('work_parts').select('id').where('file_id', '=', file.id).execute()
  for (const part of parts) await lockedPart(trx, part.id)
  if (!(await isDue())) return null
  for (const part of parts) {
    await endClaim(trx, part.id, 'taken', now, { reason: 'refunded' })
    await freePart(trx, part)
  }
  await trx.updateTable('work_parts').set({ step: null }).where('file_id', '=', file.id).execute()
  return await giveUpIn(trx, file, words, now, reason)
}

/**
 * Postpones orders forecast to be late, four hours ahead, with the reason and the new date. Not those that nobody has
 * begun: they are refunded on their date.
 */
export async function forecastLate(platform: Platform): Promise<void> {
  const now = platform.clock()
  const { files } = await listManagedFiles(platform.db, now)
  const rows = await platform.db.selectFrom('files').select('id').where(isUnbegun(now)).execute()
  const unbegun = new Set(rows.map(({ id }) => id))
  for (const { id, due, is_late, is_re_review, is_heard_first, forecast } of files) {
    // Those without parts are late once their date has passed, for a reason of their own.
    if (is_re_review || is_heard_first || unbegun.has(id) || !is_late || Date.parse(due) - now > forecastMs) continue
    const until = forecast === null ? null : Date.parse(forecast)
    await putOff(platform, id, await lateBecause(platform.db, id), { until })
  }
}

/** The cause of a delay, derived from the history of the order's parts; null if unknown. */
async function lateBecause(db: Db, fileId: string): Promise<DelayReason> {
  const given = await db.selectFrom('work_claims').select('reason').where('file_id', '=', fileId).execute()
  if (given.some(({ reason }) => reason === 'poor-audio')) return 'poor-audio'
  return given.some(({ reason }) => reason === 'rework') ? 'review' : 'queue'
}

async function deliveredParts(db: Db): Promise<Set<string>> {
  const parts = db.selectFrom('work_parts').innerJoin('files', 'files.id', 'file_id').select('work_parts.id')
  const rows = await parts.where('files.progress_percent', '=', 100).where('position', '>', 0).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Staff with valid keys, and others who worked in the last 30 days, with that. */
export async function listStaff(db: Db, pay: WorkPay | null, now: number): Promise<StaffMember[]> {
  const everybody = await db.selectFrom('staff').selectAll().orderBy('created_at').execute()
  const books = await db
    .selectFrom('work_claims')
    .selectAll()
    .where('claimed_at', '>', now - booksMs)
    .execute()
  const holds = await db.selectFrom('work_parts').select('staff_id').where('held_until', '>', now).execute()
  const share = (claims: typeof books) => {
    const words = claims.reduce((sum, claim) => sum + (claim.words ?? 0), 0)
    return words === 0 ? null : Math.min(1, claims.reduce((sum, claim) => sum + (claim.changed_words ?? 0), 0) / words)
  }
  // A review says something about the typing only if its sound was heard.
  const reviews = books.filter(({ step, ending, heard_share }) => {
    return step === 'review' && ending === 'submitted' && (heard_share ?? 0) >= heardShare
  })
  const delivered = await deliveredParts(db)
  const changed = await changedByCustomer(db, null)
  const afterDelivery = (mine: typeof books) => {
    // Each part once, however many steps they did.
    const parts = new Map(mine.filter(({ part_id }) => delivered.has(part_id)).map((claim) => [claim.part_id, claim]))
    return share([...parts.values()].map((claim) => ({ ...claim, changed_words: changed.get(claim.part_id) ?? 0 })))
  }
  const people = everybody.filter(({ id, revoked_at }) => {
    return revoked_at === null || (!sandboxStaffIds.includes(id) && books.some(({ staff_id }) => staff_id === id))
  })
  return people.map(({ id, name, role, revoked_at }): StaffMember => {
    const mine = books.filter(({ staff_id }) => staff_id === id)
    const typed = new Set(
      mine.filter(({ step, ending }) => step === 'type' && ending === 'submitted').map((one) => one.part_id),
    )
    return {
      ...{ id, name, role, is_revoked: revoked_at !== null },
      holds: holds.filter(({ staff_id }) => staff_id === id).length,
      hours: hoursOf(mine),
      submitted: mine.filter(({ ending }) => ending === 'submitted').length,
      given_back: mine.filter(({ ending }) => ending === 'returned' || ending === 'expired').length,
      sent_back: mine.filter(({ ending }) => ending === 'sent-back').length,
      earned: payWords(pay, sumPay(mine)),
      changed_by_customer: afterDelivery(mine.filter(({ ending, step }) => ending === 'submitted' && step !== 'check')),
      changed_by_review: share(reviews.filter(({ part_id }) => typed.has(part_id))),
    }
  })
}

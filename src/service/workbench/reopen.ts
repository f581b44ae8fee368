import type * as z from 'zod/mini'
import type { ReworkPlace, ReworkReason, reopening } from '../../contract/work/parts.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { writeFile } from '../orders/file/change-file.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { FileRow, Staff, WorkPart } from '../platform/db/schema.ts'
import type { AccountTrx } from '../platform/db/write-account.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { correctedText, correctionsTo } from '../text/transcripts/part-text.ts'
import { endClaim, freePart } from './claims.ts'
import { closeStep, keptText } from './desk.ts'
import { partsOfFile } from './parts.ts'
import { hasManager, isPaid, measureStep, readCovered, recordStep } from './step-record.ts'
import { checkedReached, releaseChecked, textOfPart } from './steps.ts'

/** The step that a part goes back to, and what its next person is told. */
type Again = {
  step: WorkStep
  reasons: readonly ReworkReason[]
  note: string
  places?: readonly ReworkPlace[] | undefined
}

/**
 * Sends a part back to typing. If the whole was being checked, the checker's changes move back into the parts, and the
 * check waits until all are reviewed again. A reviewer or checker who does this has completed their step.
 * @throws ServiceError 403, 404, 409
 */
export async function reopenPart(
  platform: Platform,
  staff: Staff,
  partId: string,
  claim: number | null,
  { reasons, note = '', places }: z.infer<typeof reopening>,
): Promise<void> {
  const { db, clock, config } = platform
  const asked = await db.selectFrom('work_parts').selectAll().where('id', '=', partId).executeTakeFirst()
  if (asked === undefined || asked.position === 0) throw new ServiceError(404, 'There is no such part.')
  await writeFile(db, asked.file_id, async (trx, file) => {
    const all = await partsOfFile(trx, file.id)
    const part = all.find(({ id }) => id === partId) ?? asked
    const whole = all.find(({ position }) => position === 0)
    const mine = [part, whole].find(
      (each) => each?.staff_id === staff.id && each.claim === claim && each.held_until > clock(),
    )
    if (staff.role !== 'manager' && (mine === undefined || mine.step === 'type')) {
      throw new ServiceError(403, 'A part is sent back by a manager, or by whoever reviews it or checks its file.')
    }
    if (part.step === 'type') throw new ServiceError(409, 'This part is being typed.')
    if (file.given_up === 1 || (whole?.reached ?? 0) >= 3) throw new ServiceError(409, 'The order is finished.')
    if (mine !== undefined && mine.step !== 'type') await endSentBack(trx, staff, mine, config.workPay, clock())
    await stepBack(trx, all, part, { step: 'type', reasons, note, places }, clock())
  })
}

/** Records a review or check that ended with a part sent back. */
async function endSentBack(trx: Trx, staff: Staff, part: WorkPart, pay: WorkPay | null, now: number): Promise<void> {
  const figures = measureStep(part, await keptText(trx, part.id), await readCovered(trx, part))
  // Whoever sends a text back does not answer for what is missing in it.
  const odd = figures.odd.filter((mark) => mark !== 'short')
  const record = await recordStep(trx, staff, part, { ...figures, odd }, { pay })
  await endClaim(trx, part.id, 'sent-back', now, { ...record, reason: 'rework' })
}

/** Has a step of a part done again, by anybody, with its text. */
async function stepBack(
  trx: AccountTrx,
  all: readonly WorkPart[],
  part: WorkPart,
  { step, reasons, note, places = [] }: Again,
  now: number,
): Promise<void> {
  const whole = all.find(({ position }) => position === 0)
  if (whole !== undefined && (whole.step === 'check' || whole.reached === checkedReached)) {
    await splitCheckedText(trx, whole, all, now)
  } else {
    await closeStep(trx, part.id)
  }
  await endClaim(trx, part.id, 'taken', now, { reason: 'rework' })
  await freePart(trx, part)
  const again = { step, waiting_since: now, rework_json: JSON.stringify(reasons), note } as const
  await trx
    .updateTable('work_parts')
    .set({ ...again, heard_json: '[]', places_json: JSON.stringify(places) })
    .where('id', '=', part.id)
    .execute()
}

/** Splits the checked text of a whole order into its parts, and ends the check. */
async function splitCheckedText(trx: Trx, whole: WorkPart, all: readonly WorkPart[], now: number): Promise<void> {
  const checked = await textOfPart(trx, whole)
  for (const part of all.filter(({ position }) => position > 0)) {
    const isLast = part.end_ms === whole.end_ms
    const words = checked.words.filter(({ start }) => {
      const ms = Math.round(start * 1_000)
      return ms >= part.start_ms && (ms < part.end_ms || isLast)
    })
    const { base, set } = await keptText(trx, part.id)
    const [own, wanted] = [correctedText(base, set), { words, names: checked.names }]
    if (correctionsTo(own, wanted) !== null) {
      await trx
        .updateTable('work_texts')
        .set((eb) => ({ set_json: JSON.stringify(correctionsTo(base, wanted)), revision: eb('revision', '+', 1) }))
        .where('part_id', '=', part.id)
        .execute()
    }
    await closeStep(trx, part.id)
  }
  await endClaim(trx, whole.id, 'taken', now, { reason: 'rework' })
  await freePart(trx, whole)
  await trx.updateTable('work_parts').set({ step: null, reached: 0 }).where('id', '=', whole.id).execute()
}

export const noOddStep = () => new ServiceError(404, 'No such step waits for a manager.')

/**
 * A manager's verdict on an odd step: accepted, it is paid, and its order is released if nothing else holds it up;
 * refused, it is not paid, and done once more unless that has happened already. Nobody decides about what they did
 * themselves while there is another manager.
 * @throws ServiceError 404, 409
 */
export async function decideClaim(
  { db, clock, changes }: Platform,
  manager: Staff,
  partId: string,
  claim: number,
  accepted: boolean,
): Promise<void> {
  const ofClaim = { part_id: partId, claim }
  const row = await db
    .selectFrom('work_claims')
    .selectAll()
    .where((eb) => eb.and(ofClaim))
    .executeTakeFirst()
  if (row === undefined || row.verdict === null) throw noOddStep()
  const { step, staff_id } = row
  const decide = async (trx: Trx) => {
    if (staff_id === manager.id && (await hasManager(trx, manager.id))) {
      throw new ServiceError(409, 'You did this step yourself: another manager decides about it.')
    }
    const mayPay = accepted && !(await isPaid(trx, partId, step, staff_id))
    const verdict = accepted ? ('accepted' as const) : ('refused' as const)
    const pay = mayPay ? {} : { pay_cents: row.pay_cents && 0 }
    const { numUpdatedRows } = await trx
      .updateTable('work_claims')
      .set({ verdict, decided_by: manager.id, decided_at: clock(), ...pay })
      .where((eb) => eb.and({ ...ofClaim, verdict: 'waiting' }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ServiceError(409, 'A manager has decided this already.')
    return true
  }
  const known = await writeFile(db, row.file_id, async (trx, file) => {
    await decide(trx)
    if (!accepted && row.ending === 'submitted') await redo(trx, file, { partId, claim, step }, clock())
    await releaseChecked(trx, file, clock())
    return file
  })
  if (known === null) await db.transaction().execute(decide)
  else changes.notify({ kind: 'file', accountId: known.account_id, fileId: known.id })
  changes.notify({ kind: 'job' })
}

const laterSteps: Readonly<Record<WorkStep, readonly (WorkStep | null)[]>> = {
  type: ['review', null],
  review: [null],
  check: [null],
}

/** Has a refused step done again, unless it already is, or its order has ended. */
async function redo(
  trx: AccountTrx,
  file: FileRow,
  { partId, claim, step }: { partId: string; claim: number; step: WorkStep },
  now: number,
): Promise<void> {
  const all = await partsOfFile(trx, file.id)
  const part = all.find(({ id }) => id === partId)
  if (part === undefined || file.given_up === 1 || (all[0]?.position === 0 && all[0].reached >= 3)) return
  if (!laterSteps[step].includes(part.step) || (await isDoneSince(trx, partId, step, claim))) return
  if (step !== 'check') return await stepBack(trx, all, part, { step, reasons: ['unheard'], note: '' }, now)
  // A check whose parts are done again opens once they are.
  if (all.some(({ position, step: open }) => position > 0 && open !== null)) return
  const again = { step, reached: 0, waiting_since: now, heard_json: '[]', rework_json: '["unheard"]' } as const
  await trx.updateTable('work_parts').set(again).where('id', '=', partId).execute()
}

async function isDoneSince(db: Db, partId: string, step: WorkStep, claim: number): Promise<boolean> {
  const later = await db
    .selectFrom('work_claims')
    .select('claim')
    .where((eb) => eb.and({ part_id: partId, step, ending: 'submitted' }))
    .where('claim', '>', claim)
    .executeTakeFirst()
  return later !== undefined
}

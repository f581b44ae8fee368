import type { PayMonth, PayRow } from '../../contract/work/managers.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import type { Db } from '../platform/db/open.ts'
import type { Staff, WorkClaim } from '../platform/db/schema.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { sandboxStaffIds } from './sandbox-staff.ts'

/** Cents that claims came to: of those that need no verdict, or were accepted. */
export function sumPay(claims: readonly WorkClaim[]): number {
  return claims
    .filter(({ verdict }) => verdict === null || verdict === 'accepted')
    .reduce((sum, { pay_cents }) => sum + (pay_cents ?? 0), 0)
}

/**
 * Cents that one person may still be given: a step of a part that waits twice, or was paid already, is paid once
 * (`isPaid`), so that what managers read is what accepting all of it comes to.
 */
function sumWaiting(claims: readonly WorkClaim[]): number {
  const steps = Map.groupBy(claims, ({ part_id, step }) => `${part_id} ${step}`)
  return [...steps.values()].reduce((sum, ofStep) => {
    const waiting = ofStep.filter(({ verdict }) => verdict === 'waiting').map(({ pay_cents }) => pay_cents ?? 0)
    return sum + (sumPay(ofStep) > 0 ? 0 : Math.max(0, ...waiting))
  }, 0)
}

export const hoursOf = (claims: readonly WorkClaim[]) =>
  claims.reduce((ms, { claimed_at, ended_at }) => ms + (ended_at ?? claimed_at) - claimed_at, 0) / 3_600_000

/**
 * What the staff did and earned in a month (UTC). A step counts when it became payable: when it ended, or when a
 * manager decided about it, so that a month that was paid does not change.
 * @param month `2026-11`
 */
export async function readPayMonth(db: Db, pay: WorkPay | null, month: string): Promise<PayMonth> {
  const start = Date.parse(`${month}-01T00:00:00Z`)
  const end = new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1)
  const claims = await db
    .selectFrom('work_claims')
    .selectAll()
    .where('staff_id', 'not in', sandboxStaffIds)
    .where((eb) => {
      const at = eb.fn.coalesce('decided_at', 'ended_at')
      return eb.and([eb(at, '>=', start), eb(at, '<', end)])
    })
    .execute()
  const people = await db.selectFrom('staff').selectAll().orderBy('created_at').execute()
  const byPerson = Map.groupBy(claims, ({ staff_id }) => staff_id)
  const rows = people.flatMap((person) => {
    const mine = byPerson.get(person.id)
    return mine === undefined ? [] : [toPayRow(person, mine, pay)]
  })
  return { month, currency: pay?.currency ?? null, people: rows }
}

function toPayRow({ id, name, role }: Staff, claims: readonly WorkClaim[], pay: WorkPay | null): PayRow {
  const done = claims.filter(({ ending }) => ending === 'submitted' || ending === 'sent-back')
  const payable = done.filter(({ verdict }) => verdict === null || verdict === 'accepted')
  const count = (step: WorkStep) => payable.filter((claim) => claim.step === step).length
  return {
    ...{ id, name, role, hours: hoursOf(claims) },
    ...{ typed: count('type'), reviewed: count('review'), checked: count('check') },
    minutes: payable.reduce((ms, { sound_ms }) => ms + sound_ms, 0) / 60_000,
    sent_back: payable.filter(({ ending }) => ending === 'sent-back').length,
    refused: done.filter(({ verdict }) => verdict === 'refused').length,
    earned: pay === null ? null : sumPay(done),
    waiting: pay === null ? null : sumWaiting(done),
  }
}

import { sql } from 'kysely'
import type { OddMark } from '../../contract/work/parts.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { placeOfDoubt, worstTenth } from '../../text/doubtful-words.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { Staff, WorkPart } from '../platform/db/schema.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { correctedText, countBlanks } from '../text/transcripts/part-text.ts'
import type { KeptText } from './desk.ts'
import { changedWords, findUnheard, payCents } from './parts.ts'
import { isSandboxStaff } from './sandbox-staff.ts'

/*
 * What a step came to, recorded in `work_claims` when it is submitted or sent back, for the next person, managers and
 * pay. An odd one waits for a manager before it is paid, and before its order is released.
 */

/** A step under these shares is odd. */
const oddBelow = { heard: 0.5, changed: 0.02 }

export type StepFigures = {
  heard_share: number
  words: number
  changed_words: number
  doubts: number
  blanks: number
  odd: OddMark[]
}

/** Measures what was done to a part since its step began. */
export function measureStep(part: WorkPart, text: KeptText): StepFigures {
  const wordsOf = (set: KeptText['set']) => correctedText(text.base, set).words
  const [before, after] = [wordsOf(text.stepSet), wordsOf(text.set)]
  const rated = (words: typeof after) => ({ count: words.length, confOf: (word: number) => words[word]?.conf ?? 1 })
  const figures = {
    heard_share: findUnheard(part.heard_json, part.start_ms / 1_000, part.end_ms / 1_000).share,
    words: after.length,
    changed_words: changedWords(
      before.map(({ word }) => word),
      after.map(({ word }) => word),
    ),
    doubts: placeOfDoubt(rated(after), 0, worstTenth(rated(text.base.words))).count,
    blanks: countBlanks(after),
  }
  return { ...figures, odd: findOdd(part, figures, before.length) }
}

/** A review may find nothing to change, and a second typing little: only then is an untouched text no sign of work. */
function findOdd(
  { step, reached }: WorkPart,
  { heard_share, changed_words }: Pick<StepFigures, 'heard_share' | 'changed_words'>,
  wordsBefore: number,
): OddMark[] {
  const enough = reached >= 1 ? Math.min(1, wordsBefore) : wordsBefore * oddBelow.changed
  const isUnchanged = step === 'type' && changed_words < enough
  return [
    ...(heard_share < oddBelow.heard ? (['unheard'] as const) : []),
    ...(isUnchanged ? (['unchanged'] as const) : []),
  ]
}

/** The columns of `work_claims` for a completed step. @param pay null: it is not paid */
export async function recordStep(
  trx: Trx,
  staff: Staff,
  part: WorkPart,
  { odd, ...figures }: StepFigures,
  { pay, explanation = null }: { pay: WorkPay | null; explanation?: string | null | undefined },
) {
  const isPlayed = isSandboxStaff(staff)
  const step = part.step ?? 'check'
  const cents = isPlayed ? null : payCents(pay, step, part.end_ms - part.start_ms)
  const pay_cents = cents === null || (await isPaid(trx, part.id, step, staff.id)) ? cents && 0 : cents
  const verdict = odd.length > 0 && !isPlayed ? ('waiting' as const) : null
  return { ...figures, odd: odd.join(' '), explanation, pay_cents, verdict }
}

/** Whether somebody was paid for a step of a part: a person is paid for it once, however often it is done again. */
export async function isPaid(db: Db, partId: string, step: WorkStep, staffId: string): Promise<boolean> {
  const paid = await db
    .selectFrom('work_claims')
    .select('claim')
    .where((eb) => eb.and({ part_id: partId, step, staff_id: staffId }))
    .where('pay_cents', '>', 0)
    .where((eb) => eb.or([eb('verdict', 'is', null), eb('verdict', '=', 'accepted')]))
    .executeTakeFirst()
  return paid !== undefined
}

/** Whether an order must not be released: a step waits for a manager, and was not done again since. */
export async function waitsForManager(db: Db, fileId: string): Promise<boolean> {
  const again = sql<boolean>`exists (select 1 from work_claims as later where later.part_id = work_claims.part_id
    and later.step = work_claims.step and later.claim > work_claims.claim and later.ending = 'submitted')`
  const waiting = await db
    .selectFrom('work_claims')
    .select('claim')
    .where((eb) => eb.and({ file_id: fileId, verdict: 'waiting', ending: 'submitted' }))
    .where((eb) => eb.not(again))
    .executeTakeFirst()
  return waiting !== undefined
}

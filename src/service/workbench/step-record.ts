import { sql } from 'kysely'
import type { OddMark } from '../../contract/work/parts.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { placeOfDoubt, worstTenth } from '../../text/doubtful-words.ts'
import type { Db, Trx } from '../platform/db/open.ts'
import type { Staff, WorkPart } from '../platform/db/schema.ts'
import type { WorkPay } from '../platform/setting-readers.ts'
import { correctedText, countBlanks } from '../text/transcripts/part-text.ts'
import type { KeptText } from './desk.ts'
import { changedWords, findUnheard, payCents, readHeard, stretchesToHear } from './parts.ts'
import { isSandboxStaff } from './sandbox-staff.ts'

/*
 * What a step came to, recorded in `work_claims` when it is submitted or sent back, for the next person, managers and
 * pay. An odd one waits for a manager before it is paid, and before its order is released.
 */

/**
 * A step under these shares is odd: of the sound heard, in a check also by its checker alone; of the words changed; of
 * the words of the draft that are left.
 */
const oddBelow = { heard: 0.5, heardByChecker: 0.1, changed: 0.02, left: 0.5 }
/** Where nothing was recognized there is no draft; people say about 150. */
const leastWordsPerMinute = 10

export type StepFigures = {
  heard_share: number
  words: number
  changed_words: number
  doubts: number
  blanks: number
  odd: OddMark[]
}

/** Share of a part's sound that somebody has heard, so that its step may be completed. */
export const readCovered = async (db: Db, part: WorkPart): Promise<number> =>
  findUnheard(await readHeard(db, part), stretchesToHear(part)).share

/** Measures what was done to a part since its step began. @param covered as of `readCovered` */
export function measureStep(part: WorkPart, text: KeptText, covered: number): StepFigures {
  const wordsOf = (set: KeptText['set']) => correctedText(text.base, set).words
  const [before, after] = [wordsOf(text.stepSet), wordsOf(text.set)]
  const rated = (words: typeof after) => ({ count: words.length, confOf: (word: number) => words[word]?.conf ?? 1 })
  const figures = {
    // What reviewers played is not the checker's own.
    heard_share: findUnheard(JSON.parse(part.heard_json), stretchesToHear(part)).share,
    words: after.length,
    changed_words: changedWords(
      before.map(({ word }) => word),
      after.map(({ word }) => word),
    ),
    doubts: placeOfDoubt(rated(after), 0, worstTenth(rated(text.base.words))).count,
    blanks: countBlanks(after),
  }
  const isOdd: Readonly<Record<OddMark, boolean>> = {
    unheard: isUnheard(part, figures.heard_share, covered),
    unchanged: isUnchanged(part, figures.changed_words, before.length),
    short: figures.words < leastWords(part, text.base.words.length),
  }
  return { ...figures, odd: (['unheard', 'unchanged', 'short'] as const).filter((mark) => isOdd[mark]) }
}

const isUnheard = ({ step }: WorkPart, own: number, covered: number) =>
  covered < oddBelow.heard || (step === 'check' && own < oddBelow.heardByChecker)

/** A review may find nothing to change, and a second typing little: only then is an untouched text no sign of work. */
const isUnchanged = ({ step, reached }: WorkPart, changed: number, wordsBefore: number) =>
  step === 'type' && changed < (reached >= 1 ? Math.min(1, wordsBefore) : wordsBefore * oddBelow.changed)

/** A text with fewer words is far shorter than its sound can hold. @param draft words that the part began with */
function leastWords({ start_ms, end_ms }: WorkPart, draft: number): number {
  const bySound = ((end_ms - start_ms) / 60_000) * leastWordsPerMinute
  return Math.max(1, draft > 0 ? draft * oddBelow.left : bySound)
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

/** Without a manager an odd step holds up its order only this long. */
export const unmanagedMs = 24 * 60 * 60_000

/** Whether anybody can decide on odd steps. @param besides an id that does not count */
export async function hasManager(db: Db, besides = ''): Promise<boolean> {
  const managers = db.selectFrom('staff').select('id').where('role', '=', 'manager').where('revoked_at', 'is', null)
  return (await managers.where('id', '!=', besides).executeTakeFirst()) !== undefined
}

/** Whether an order must not be released: a step waits for a manager, and was not done again since. */
export async function waitsForManager(db: Db, fileId: string, now: number): Promise<boolean> {
  const endedAfter = (await hasManager(db)) ? 0 : now - unmanagedMs
  const again = sql<boolean>`exists (select 1 from work_claims as later where later.part_id = work_claims.part_id
    and later.step = work_claims.step and later.claim > work_claims.claim and later.ending = 'submitted')`
  const waiting = await db
    .selectFrom('work_claims')
    .select('claim')
    .where((eb) => eb.and({ file_id: fileId, verdict: 'waiting', ending: 'submitted' }))
    .where('ended_at', '>', endedAfter)
    .where((eb) => eb.not(again))
    .executeTakeFirst()
  return waiting !== undefined
}

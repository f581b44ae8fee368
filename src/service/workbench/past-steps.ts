import type { OddMark, StepBefore } from '../../contract/work/parts.ts'
import type { Db } from '../platform/db/open.ts'
import type { WorkClaim, WorkPart } from '../platform/db/schema.ts'

/** The figures of a step, as the contract has them. */
export function toFigures({ heard_share, ...claim }: WorkClaim) {
  const { words, changed_words, doubts, blanks, explanation, odd } = claim
  return {
    heard: heard_share,
    words,
    changed_words,
    doubts,
    blanks,
    explanation,
    odd: odd === '' ? [] : (odd.split(' ') as OddMark[]),
  }
}

/** Steps completed on a part, oldest first; for the check of a whole, on all parts of its order. People are numbers. */
export async function listStepsBefore(db: Db, { id, file_id, position }: WorkPart): Promise<StepBefore[]> {
  const claims = await db
    .selectFrom('work_claims')
    .innerJoin('work_parts', 'work_parts.id', 'work_claims.part_id')
    .selectAll('work_claims')
    .select('work_parts.position')
    .where('work_claims.file_id', '=', file_id)
    .where('ending', 'in', ['submitted', 'sent-back'])
    .orderBy('ended_at')
    .orderBy('work_claims.claim')
    .execute()
  const people = [...new Set(claims.map(({ staff_id }) => staff_id))]
  return claims
    .filter(({ part_id }) => position === 0 || part_id === id)
    .map((claim) => ({
      ...{ position: claim.position, step: claim.step, person: people.indexOf(claim.staff_id) + 1 },
      was_sent_back: claim.ending === 'sent-back',
      ...toFigures(claim),
    }))
}

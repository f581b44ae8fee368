import type { FileWork, WorkSection } from '../../contract/account/manual-work.ts'
import type { Db } from '../platform/db/open.ts'
import type { WorkPart } from '../platform/db/schema.ts'
import { iso } from '../platform/iso-time.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'
import { joinTexts } from '../text/transcripts/part-text.ts'
import { typedParts } from '../text/transcripts/typed-parts.ts'
import { partsOfFile } from './parts.ts'
import { checkedReached } from './steps.ts'

async function lastSubmitted(db: Db, fileId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('work_claims')
    .select((eb) => ['part_id', eb.fn.max('ended_at').as('at')])
    .where('file_id', '=', fileId)
    .where('ending', '=', 'submitted')
    .groupBy('part_id')
    .execute()
  return new Map(rows.map(({ part_id, at }) => [part_id, at ?? 0]))
}

/** The earliest step that somebody works on; else the earliest that waits. */
function describeNow(parts: readonly WorkPart[], now: number): FileWork['now'] {
  const whole = parts.find(({ position }) => position === 0)
  if ((whole?.reached ?? 0) >= 3) return 'done'
  if (whole?.reached === checkedReached) return 'releasing'
  const held = parts.filter(({ held_until }) => held_until > now).map(({ step }) => step)
  if (held.includes('type')) return 'typing'
  if (held.includes('review')) return 'reviewing'
  return held.includes('check') ? 'checking' : 'waiting'
}

/** Staff's progress on an order as its customer sees it, without their names. @throws ServiceError 404 */
export async function readFileWork({ db, clock }: Platform, fileId: string): Promise<FileWork> {
  const parts = await typedParts(db, fileId)
  if (parts.length === 0) throw new ServiceError(404, 'Nobody types this file, or not yet.')
  const changed = await lastSubmitted(db, fileId)
  const { names } = joinTexts(parts.map(({ text }) => text))
  const ofWhole = db.selectFrom('work_parts').select(['reached', 'step']).where('file_id', '=', fileId)
  const whole = await ofWhole.where('position', '=', 0).executeTakeFirst()
  const isChecked = (whole?.reached ?? 0) >= 3
  const stepsNow = await partsOfFile(db, fileId)
  const sections = parts.map(({ part, text }): WorkSection => {
    const isTyped = part.reached >= 1
    const begun = part.held_until > clock() ? 'typing' : 'waiting'
    const at = changed.get(part.id)
    return {
      ...{ start: part.start_ms / 1_000, end: part.end_ms / 1_000, blanks: part.blanks },
      state: part.reached >= 2 ? 'reviewed' : isTyped ? 'typed' : begun,
      changed: at === undefined ? null : iso(at),
      words: text.words.map(({ word, start, end, speaker }) => {
        return { word, start, end, speaker: names.indexOf(text.names[speaker] ?? '') }
      }),
    }
  })
  return {
    parts: parts.length,
    typed: parts.filter(({ part }) => part.reached >= 1).length,
    reviewed: parts.filter(({ part }) => part.reached >= 2).length,
    now: describeNow(stepsNow, clock()),
    is_checked: isChecked,
    re_review: !isChecked ? null : whole?.step === 'check' ? 'open' : whole?.reached === 3 ? 'possible' : 'done',
    blanks: sections.reduce((sum, { blanks }) => sum + blanks, 0),
    names: [...names],
    sections,
  }
}

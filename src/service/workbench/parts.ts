import { centsToDecimal } from '../../contract/interface/price.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { findDifferences } from '../../text/differences.ts'
import { withoutRanges, withRanges } from '../../text/word-ranges.ts'
import type { Db } from '../platform/db/open.ts'
import type { WorkPart } from '../platform/db/schema.ts'
import type { WorkPay } from '../platform/setting-readers.ts'

/** A part as it counts for progress: its length, and the highest number of completed steps. */
export type CountedPart = { ms: number; reached: number }

/**
 * Computes how complete a manual order is, in whole percent: typed 0 to 60, reviewed to 85, checked 99. Depends on the
 * parts alone. A part's reached step never decreases, so neither does this. 60 means that all is typed (spec 3).
 */
export function partsProgress(parts: readonly CountedPart[], isChecked: boolean): number {
  const msFrom = (reached: number) => parts.reduce((sum, part) => sum + (part.reached >= reached ? part.ms : 0), 0)
  const [all, typed, reviewed] = [msFrom(0), msFrom(1), msFrom(2)]
  if (typed < all) return Math.floor((60 * typed) / all)
  if (reviewed < all) return 60 + Math.floor((25 * reviewed) / all)
  return isChecked ? 99 : 85
}

/* Stretches of a recording that were played: ranges of seconds, stored as JSON. */

type Stretch = readonly [number, number]

/** Merges newly played stretches into the known ones. @param known as JSON @returns JSON */
export function addStretches(known: string, added: readonly Stretch[]): string {
  const forward = added.filter(([from, to]) => from < to)
  return JSON.stringify(withRanges(JSON.parse(known), forward))
}

/** What a step has to hear: all of its part, or in a re-review the places that the customer named. In seconds. */
export function stretchesToHear(part: WorkPart): readonly Stretch[] {
  const places: { start: number; end: number }[] = isReReview(part) ? JSON.parse(part.places_json) : []
  const named = places.filter(({ start, end }) => start < end).map(({ start, end }): Stretch => [start, end])
  return named.length > 0 ? withRanges([], named) : [[part.start_ms / 1_000, part.end_ms / 1_000]]
}

/** Finds what of some stretches was not played yet, and the share that was. In seconds. */
export function findUnheard(
  known: readonly Stretch[],
  toHear: readonly Stretch[],
): { unheard: [number, number][]; share: number } {
  const unheard = withoutRanges(toHear, known).map(([from, to]): [number, number] => [from, to])
  const count = (all: readonly Stretch[]) => all.reduce((sum, [from, to]) => sum + to - from, 0)
  const seconds = count(toHear)
  return { unheard, share: seconds > 0 ? 1 - count(unheard) / seconds : 1 }
}

/**
 * What need not be heard in a step: what its holder played, and in a check also what reviewers played, unless it is done
 * again because nobody had heard enough.
 */
export async function readHeard(db: Db, part: WorkPart): Promise<[number, number][]> {
  const own: [number, number][] = JSON.parse(part.heard_json)
  if (part.step !== 'check' || isReReview(part) || part.rework_json !== '[]') return own
  const reviewed = await db
    .selectFrom('work_parts')
    .select('heard_json')
    .where('file_id', '=', part.file_id)
    .where('position', '>', 0)
    .orderBy('position')
    .execute()
  const all = reviewed.reduce<readonly Stretch[]>((sum, row) => withRanges(sum, JSON.parse(row.heard_json)), own)
  return all.map(([from, to]) => [from, to])
}

/** Whether this is a re-review: the check of a delivered transcript, at its customer's request. */
export function isReReview({ position, reached, step }: Pick<WorkPart, 'position' | 'reached' | 'step'>): boolean {
  return position === 0 && reached >= 3 && step === 'check'
}

/** Counts changed words from one text to another, in order: insertions or deletions, whichever are more. */
export function changedWords(before: readonly string[], after: readonly string[]): number {
  const differences = findDifferences(before.length, after.length, (old, now) => before[old] === after[now])
  const gone = differences.reduce((sum, { from, to }) => sum + to - from, 0)
  return Math.max(gone, gone + after.length - before.length)
}

/** Pay for a step over this much audio, in whole cents; null if no rate is set. */
export function payCents(pay: WorkPay | null, step: WorkStep, soundMs: number): number | null {
  const perMinute = pay?.perMinute[step]
  return perMinute === undefined ? null : Math.round((perMinute * 100 * soundMs) / 60_000)
}

/** `EUR 4.80`; null if no rate is set */
export function payWords(pay: WorkPay | null, cents: number | null): string | null {
  return pay === null || cents === null ? null : `${pay.currency} ${centsToDecimal(cents)}`
}

/** The parts of an order, its whole (position 0) first. */
export async function partsOfFile(db: Db, fileId: string): Promise<WorkPart[]> {
  return await db.selectFrom('work_parts').selectAll().where('file_id', '=', fileId).orderBy('position').execute()
}

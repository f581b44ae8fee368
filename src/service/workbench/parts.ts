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

/** Finds the stretches of a part not played yet, and the share that was. In seconds. */
export function findUnheard(known: string, start: number, end: number): { unheard: [number, number][]; share: number } {
  const unheard = withoutRanges([[start, end]], JSON.parse(known)).map(([from, to]): [number, number] => [from, to])
  const seconds = unheard.reduce((sum, [from, to]) => sum + to - from, 0)
  return { unheard, share: end > start ? 1 - seconds / (end - start) : 1 }
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

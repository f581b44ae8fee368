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

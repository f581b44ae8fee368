/** A part as progress sees it: its length, and how many of its steps were ever done. */
export type CountedPart = { ms: number; reached: number }

/**
 * How complete a manual order is, in whole per cents: typed 0 to 60, reviewed to 85, checked 99. Nothing but the parts
 * counts. What a part has reached is never taken back, so neither is this. 60 means that all is typed (spec 3).
 */
export function partsProgress(parts: readonly CountedPart[], isChecked: boolean): number {
  const msFrom = (reached: number) => parts.reduce((sum, part) => sum + (part.reached >= reached ? part.ms : 0), 0)
  const [all, typed, reviewed] = [msFrom(0), msFrom(1), msFrom(2)]
  if (typed < all) return Math.floor((60 * typed) / all)
  if (reviewed < all) return 60 + Math.floor((25 * reviewed) / all)
  return isChecked ? 99 : 85
}

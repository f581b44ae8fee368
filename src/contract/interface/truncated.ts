/** This much may be missing at the end of a recording without a notice: lengths are not exact to the second. */
export const toleratedLossMs = 2_000
/** Below this readable share of its length, a recording counts as damaged. */
export const leastReadableShare = 0.9

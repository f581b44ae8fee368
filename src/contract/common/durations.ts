/** Milliseconds of an hour and of 24 hours. */
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Backoff after each failed attempt (decision 9); a little over three days in total. */
export const retryAfterMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Jitter: each delay varies by this fraction, so that deliveries that failed together are not retried together. */
const spread = 0.1

/**
 * Backoff in milliseconds after the failed attempt at a step of the schedule (0: the first), or null after the last.
 * @param random 0 to 1
 */
export function retryPauseMs(step: number, random: number): number | null {
  const pauseMs = retryAfterMs[step]
  return pauseMs === undefined ? null : Math.round(pauseMs * (1 + spread * (2 * random - 1)))
}

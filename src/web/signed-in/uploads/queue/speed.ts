/** A sample's weight halves in this time. */
export const halfLifeMs = 2_000

/**
 * Transfer speed, exponentially smoothed over irregular samples: each sample's weight halves every two seconds.
 * `weight` is the sum of all weights, so that a new meter is not biased towards zero.
 */
export type SpeedMeter = {
  readonly atMs: number
  readonly bytes: number
  readonly weightedSpeed: number
  readonly weight: number
}

/** A meter without samples. */
export function startMeter(atMs: number, bytes: number): SpeedMeter {
  return { atMs, bytes, weightedSpeed: 0, weight: 0 }
}

/** The meter once `bytes` bytes in total are sent at `atMs`. Samples within the same millisecond are deferred. */
export function measure(meter: SpeedMeter, atMs: number, bytes: number): SpeedMeter {
  const elapsedMs = atMs - meter.atMs
  if (elapsedMs <= 0) return meter
  const decay = 0.5 ** (elapsedMs / halfLifeMs)
  const speed = (Math.max(0, bytes - meter.bytes) / elapsedMs) * 1_000
  return {
    atMs,
    bytes,
    weightedSpeed: meter.weightedSpeed * decay + speed * (1 - decay),
    weight: meter.weight * decay + (1 - decay),
  }
}

/** Bytes per second, or null before any measurement. */
export function bytesPerSecond(meter: SpeedMeter): number | null {
  return meter.weight === 0 ? null : meter.weightedSpeed / meter.weight
}

/** Seconds until `totalBytes` are sent at the current speed; null while stalled or unknown. */
export function secondsLeft(meter: SpeedMeter, totalBytes: number): number | null {
  const speed = bytesPerSecond(meter)
  if (speed === null || speed < 1) return null
  return Math.max(0, totalBytes - meter.bytes) / speed
}

/** The weight of a sample halves in this time. */
export const halfLifeMs = 2_000

/**
 * Speed of a transfer, exponentially smoothed over irregular samples: each sample's weight halves every two seconds.
 * `weight` is the sum of all weights, so that a young meter is not pulled towards zero.
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

/** The meter once `bytes` bytes in all are sent at `atMs`. A sample of the same millisecond waits for the next one. */
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

/** Bytes a second, or null before anything was measured. */
export function bytesPerSecond(meter: SpeedMeter): number | null {
  return meter.weight === 0 ? null : meter.weightedSpeed / meter.weight
}

/** Seconds until `totalBytes` have gone at the present speed; null while nothing moves or nothing is known. */
export function secondsLeft(meter: SpeedMeter, totalBytes: number): number | null {
  const speed = bytesPerSecond(meter)
  if (speed === null || speed < 1) return null
  return Math.max(0, totalBytes - meter.bytes) / speed
}

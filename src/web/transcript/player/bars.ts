import { decodePeaks } from '../../../contract/interface/peaks.ts'

/** Distance from one bar to the next, width, and height in silence. Pixels. */
export const pitch = 5
const barWidth = 3
const minHeight = 4

/**
 * Heights of the bars, 0 to 1: the loudest peak of each interval, so that a short word in a long silence is visible.
 * All 0 without peaks.
 */
export function barHeights(peaks: Float32Array | null, bars: number): Float32Array {
  const heights = new Float32Array(Math.max(0, bars))
  if (peaks === null || peaks.length === 0) return heights
  let loudest = 0
  for (const peak of peaks) loudest = Math.max(loudest, peak)
  if (loudest === 0) return heights
  for (let bar = 0; bar < bars; bar++) {
    const from = Math.floor((bar / bars) * peaks.length)
    const to = Math.max(from + 1, Math.floor(((bar + 1) / bars) * peaks.length))
    let height = 0
    for (let index = from; index < to; index++) height = Math.max(height, peaks[index] ?? 0)
    heights[bar] = height / loudest
  }
  return heights
}

/** Loudness over the recording, 0 to 1, from the service's peaks; null if there are none. */
export function readLoudness(bytes: ArrayBuffer | null): Float32Array | null {
  const peaks = bytes === null ? null : decodePeaks(new Uint8Array(bytes))
  if (peaks === null) return null
  return Float32Array.from(
    { length: peaks.length / 2 },
    (_, index) => Math.max(Math.abs(peaks[index * 2] ?? 0), Math.abs(peaks[index * 2 + 1] ?? 0)) / 127,
  )
}

/** One path of upright rounded bars, centered in `height` pixels. */
export function barsPath(heights: Float32Array, height: number): string {
  const parts: string[] = []
  const radius = barWidth / 2
  heights.forEach((share, bar) => {
    // Loudness is perceived logarithmically; a square root is close enough to make quiet speech visible.
    const length = Math.max(minHeight, Math.sqrt(share) * height) - barWidth
    const top = (height - length) / 2
    parts.push(
      `M${bar * pitch} ${top.toFixed(1)}a${radius} ${radius} 0 0 1 ${barWidth} 0v${length.toFixed(1)}a${radius} ${radius} 0 0 1 -${barWidth} 0z`,
    )
  })
  return parts.join('')
}

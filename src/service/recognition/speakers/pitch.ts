const rate = 8_000
const windowSamples = 320 // 40 ms
const hop = 160 // 20 ms
const lowestHz = 70
const highestHz = 380
/** Below this the frame has no clear pitch. */
const clearness = 0.5

/**
 * Estimates pitch: natural logarithms of Hz for the voiced 40 ms frames, by the highest normalized autocorrelation
 * between 70 and 380 Hz (the first peak near the highest, against octave errors).
 * @param samples 16 kHz
 */
export function logPitches(samples: Int16Array): number[] {
  const halved = Float32Array.from(
    { length: samples.length >> 1 },
    (_, index) => ((samples[2 * index] ?? 0) + (samples[2 * index + 1] ?? 0)) / 2,
  )
  const pitches: number[] = []
  const longest = Math.floor(rate / lowestHz)
  const shortest = Math.floor(rate / highestHz)
  for (let start = 0; start + windowSamples + longest < halved.length; start += hop) {
    const likeness = new Float32Array(longest + 1)
    let best = 0
    for (let lag = shortest; lag <= longest; lag += 1) {
      let product = 0
      let here = 0
      let there = 0
      for (let index = start; index < start + windowSamples; index += 1) {
        const one = halved[index] ?? 0
        const other = halved[index + lag] ?? 0
        product += one * other
        here += one * one
        there += other * other
      }
      likeness[lag] = product / Math.sqrt(here * there + 1)
      best = Math.max(best, likeness[lag] ?? 0)
    }
    if (best < clearness) continue
    const lag = likeness.findIndex((value, at) => at >= shortest && value > 0.9 * best)
    pitches.push(Math.log(rate / lag))
  }
  return pitches
}

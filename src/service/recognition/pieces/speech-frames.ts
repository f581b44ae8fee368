/** Frames of voice activity: 10 ms at 16 kHz. */
export const frameSamples = 160
export const frameMs = 10

const silenceDb = -90
/** Absolute threshold: nothing below this is speech, however quiet the rest is. */
const faintestSpeechDb = -65
/** A stretch with less dynamic range is hiss, hum or a tone: speech varies by 20 dB and more. */
const leastRangeDb = 6
const shortestSoundFrames = 8
/** Soft beginnings and ends of words lie outside the loud frames. */
const marginFrames = 25

/**
 * Computes the energy of each whole frame in dB of full scale, after a first difference, which removes hum and rumble.
 * Depends only on the frame's own samples, so the start of reading does not matter.
 */
export function frameEnergies(samples: Int16Array): Float32Array {
  const energies = new Float32Array(Math.floor(samples.length / frameSamples))
  for (let frame = 0; frame < energies.length; frame += 1) {
    const first = frame * frameSamples
    let last = samples[first] ?? 0
    let sum = 0
    for (let index = first + 1; index < first + frameSamples; index += 1) {
      const sample = samples[index] ?? 0
      const difference = sample - 0.97 * last
      sum += difference * difference
      last = sample
    }
    const power = sum / (frameSamples - 1) / (32_768 * 32_768)
    energies[frame] = power > 1e-9 ? 10 * Math.log10(power) : silenceDb
  }
  return energies
}

/** Averages each frame with two neighbors on either side. */
export function smoothed(energies: Float32Array): Float32Array {
  return energies.map((_, frame) => {
    const from = Math.max(0, frame - 2)
    const to = Math.min(energies.length, frame + 3)
    let sum = 0
    for (let index = from; index < to; index += 1) sum += energies[index] ?? 0
    return sum / (to - from)
  })
}

/** From `start` up to `end`, in frames. */
export type FrameRun = { start: number; end: number }

function runsAbove(energies: Float32Array, threshold: number): FrameRun[] {
  const runs: FrameRun[] = []
  let start = -1
  for (let frame = 0; frame <= energies.length; frame += 1) {
    const loud = frame < energies.length && (energies[frame] ?? silenceDb) > threshold
    if (loud && start < 0) start = frame
    if (!loud && start >= 0) {
      if (frame - start >= shortestSoundFrames) runs.push({ start, end: frame })
      start = -1
    }
  }
  return runs
}

/**
 * Detects likely speech: runs of frames above the local background noise. In doubt it reports speech, since dropped
 * audio never reaches the recognizer.
 * @param energies of at most a minute or so, smoothed
 */
export function speechRuns(energies: Float32Array): FrameRun[] {
  const sorted = energies.slice().sort()
  const background = sorted[Math.floor(sorted.length * 0.1)] ?? silenceDb
  // A single word in half a minute counts, a click does not.
  const loud = sorted[Math.max(0, sorted.length - shortestSoundFrames)] ?? silenceDb
  if (loud < faintestSpeechDb || loud - background < leastRangeDb) return []
  const threshold = Math.max(background + Math.min(8, Math.max(4, 0.25 * (loud - background))), faintestSpeechDb)
  return runsAbove(energies, threshold)
}

/** Adds a margin on both sides, and merges runs that touch. */
export function withMargins(runs: readonly FrameRun[], frames: number): FrameRun[] {
  const merged: FrameRun[] = []
  for (const run of runs) {
    const start = Math.max(0, run.start - marginFrames)
    const end = Math.min(frames, run.end + marginFrames)
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = end
    else merged.push({ start, end })
  }
  return merged
}

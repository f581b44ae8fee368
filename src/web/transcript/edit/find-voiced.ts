import type { Stretch, Voiced } from './retime.ts'

/** What is as quiet against the loud parts around it is a pause. */
const quiet = 0.1
const leastPauseSeconds = 0.2
/** Waveforms that are coarser hide the pauses within a turn. */
const coarsestSeconds = 0.2

/**
 * Finds where somebody speaks by the sound: what is left without the pauses.
 * @param heights how loud the recording is, 0 to 1, in equal steps over its length in seconds
 */
export function voicedBy(heights: Float32Array, seconds: number): Voiced {
  const step = seconds / heights.length
  return (within) => {
    const first = Math.floor(within.from / step)
    const here = heights.subarray(first, Math.ceil(within.to / step))
    if (!(step <= coarsestSeconds) || here.length === 0) return null
    const loud = here.toSorted()[Math.floor(here.length * 0.95)] ?? 0
    const voiced = betweenPauses(here, quiet * loud, leastPauseSeconds / step - 1e-9)
    const clamped = (at: number) => Math.min(Math.max((first + at) * step, within.from), within.to)
    return voiced.length > 1 ? voiced.map(({ from, to }) => ({ from: clamped(from), to: clamped(to) })) : null
  }
}

/** The stretches between pauses, in steps. @param leastPause how many steps below `limit` are a pause */
function betweenPauses(heights: Float32Array, limit: number, leastPause: number): Stretch[] {
  const voiced: Stretch[] = []
  let [from, to] = [0, 0]
  const end = (next: number) => {
    if (from < to) voiced.push({ from, to })
    from = next
  }
  for (const [at, height] of heights.entries()) {
    if (height < limit) continue
    if (at - to >= leastPause) end(at)
    to = at + 1
  }
  if (heights.length - to < leastPause) to = heights.length
  end(to)
  return voiced
}

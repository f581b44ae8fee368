/** A word or a stretch of speech, in milliseconds of the recording. */
export type Spoken = { startMs: number; endMs: number }
export type Stretch = { startMs: number; endMs: number }

const usualMs = 360_000

/**
 * Cuts a recording into parts of about six minutes, each at the longest silence near enough. Without pauses it cuts
 * between two words, without speech at the usual length.
 * @param spoken in order
 */
export function cutParts(spoken: readonly Spoken[], durationMs: number, partMs = usualMs): Stretch[] {
  const parts: Stretch[] = []
  let startMs = 0
  let next = 0
  while (durationMs - startMs > partMs * 1.25) {
    const [earliest, latest] = [startMs + partMs * 0.75, startMs + partMs * 1.25]
    let [best, longest] = [startMs + partMs, -1]
    for (let index = next; index < spoken.length; index += 1) {
      const endMs = spoken[index]?.endMs ?? 0
      const followsMs = spoken[index + 1]?.startMs ?? durationMs
      if (endMs > latest) break
      if (followsMs < earliest) {
        next = index
        continue
      }
      // Of a silence that extends beyond the window, only the portion within counts.
      const [from, to] = [Math.max(endMs, earliest), Math.min(followsMs, latest)]
      if (to - from > longest) [best, longest] = [Math.round((from + to) / 2), to - from]
    }
    parts.push({ startMs, endMs: best })
    startMs = best
  }
  return [...parts, { startMs, endMs: durationMs }]
}

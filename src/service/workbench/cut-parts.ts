/** Something that is said, in milliseconds of the recording: a word, or a piece of speech. */
export type Spoken = { startMs: number; endMs: number }
export type Stretch = { startMs: number; endMs: number }

const usualMs = 360_000

/**
 * Cuts a recording into parts of about six minutes, each in the longest silence that is near enough. If nobody pauses a
 * cut is between two words, and if nobody speaks after the usual length.
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
      // A silence that begins before the first place, or ends after the last one, counts as far as it is within.
      const [from, to] = [Math.max(endMs, earliest), Math.min(followsMs, latest)]
      if (to - from > longest) [best, longest] = [Math.round((from + to) / 2), to - from]
    }
    parts.push({ startMs, endMs: best })
    startMs = best
  }
  return [...parts, { startMs, endMs: durationMs }]
}

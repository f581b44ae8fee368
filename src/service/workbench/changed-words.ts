/** Above this many differences, texts count as unrelated: the exact number is not worth computing. */
const mostDifferences = 10_000

/**
 * Counts changed words from one text to another, in order: insertions or deletions, whichever are more. Uses Myers'
 * algorithm (An O(ND) difference algorithm, 1986), which is fast for similar texts.
 */
export function changedWords(before: readonly string[], after: readonly string[]): number {
  const reach = new Map<number, number>([[1, 0]])
  for (let differences = 0; differences <= Math.min(mostDifferences, before.length + after.length); differences += 1) {
    for (let line = -differences; line <= differences; line += 2) {
      const [below, above] = [reach.get(line - 1) ?? -1, reach.get(line + 1) ?? -1]
      let at = line === -differences || (line !== differences && below < above) ? above : below + 1
      while (at < before.length && at - line < after.length && before[at] === after[at - line]) at += 1
      reach.set(line, at)
      if (at < before.length || at - line < after.length) continue
      const more = after.length - before.length
      return (differences + Math.abs(more)) / 2
    }
  }
  return Math.max(before.length, after.length)
}

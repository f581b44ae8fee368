/** Texts that differ in more places than this are different ones: the exact number is not worth finding. */
const mostDifferences = 10_000

/**
 * How many words one text has that are not those of another, in order: words put in, or left out, whichever are more. By
 * Myers' algorithm (An O(ND) difference algorithm, 1986), which is quick where texts are alike.
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

/** How many letters differ (Levenshtein). */
function distance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...two].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The name that was probably meant; undefined if more than two letters differ from each. */
export function findNearest(names: readonly string[], given: string): string | undefined {
  const [nearest = ''] = names.toSorted((one, two) => distance(one, given) - distance(two, given))
  return distance(nearest, given) <= 2 ? nearest : undefined
}

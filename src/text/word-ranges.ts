import { lowerBound } from './lower-bound.ts'

/** Words by their indexes in the service's text, end exclusive. */
export type WordRange = readonly [from: number, to: number]

/** The union of both lists: sorted and not touching, as the other functions here require. */
export function withRanges(ranges: readonly WordRange[], added: readonly WordRange[]): WordRange[] {
  const joined: [number, number][] = []
  for (const [from, to] of [...ranges, ...added].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last === undefined || last[1] < from) joined.push([from, to])
    else last[1] = Math.max(last[1], to)
  }
  return joined
}

/** The words of the first list that are not in the second. */
export function withoutRanges(ranges: readonly WordRange[], removed: readonly WordRange[]): WordRange[] {
  const gone = withRanges([], removed)
  const left: WordRange[] = []
  let next = 0
  for (const [from, to] of ranges) {
    let begin = from
    while (next < gone.length && (gone[next]?.[1] ?? 0) <= from) next++
    for (let index = next; index < gone.length; index++) {
      const [first, end] = gone[index] as WordRange
      if (first >= to) break
      if (first > begin) left.push([begin, first])
      begin = Math.max(begin, end)
    }
    if (begin < to) left.push([begin, to])
  }
  return left
}

/** True if the list covers all words from `from` to before `to`; binary search. */
export function isCovered(ranges: readonly WordRange[], [from, to]: WordRange): boolean {
  const range = ranges[lowerBound(ranges.length, (at) => (ranges[at]?.[1] ?? 0) <= from)]
  return range !== undefined && range[0] <= from && to <= range[1]
}

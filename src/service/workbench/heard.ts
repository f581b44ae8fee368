import { withoutRanges, withRanges } from '../../text/word-ranges.ts'

/* Stretches of sound that were played: ranges of seconds, kept as JSON. */

type Stretch = readonly [number, number]

/** Joins stretches with those that are known. @param known as JSON @returns JSON */
export function addStretches(known: string, added: readonly Stretch[]): string {
  const forward = added.filter(([from, to]) => from < to)
  return JSON.stringify(withRanges(JSON.parse(known), forward))
}

/** What of a part nobody has heard, and which share that leaves heard. Seconds. */
export function findUnheard(known: string, start: number, end: number): { unheard: [number, number][]; share: number } {
  const unheard = withoutRanges([[start, end]], JSON.parse(known)).map(([from, to]): [number, number] => [from, to])
  const seconds = unheard.reduce((sum, [from, to]) => sum + to - from, 0)
  return { unheard, share: end > start ? 1 - seconds / (end - start) : 1 }
}

import { withoutRanges, withRanges } from '../../text/word-ranges.ts'

/* Stretches of a recording that were played: ranges of seconds, stored as JSON. */

type Stretch = readonly [number, number]

/** Merges newly played stretches into the known ones. @param known as JSON @returns JSON */
export function addStretches(known: string, added: readonly Stretch[]): string {
  const forward = added.filter(([from, to]) => from < to)
  return JSON.stringify(withRanges(JSON.parse(known), forward))
}

/** Finds the stretches of a part not played yet, and the share that was. In seconds. */
export function findUnheard(known: string, start: number, end: number): { unheard: [number, number][]; share: number } {
  const unheard = withoutRanges([[start, end]], JSON.parse(known)).map(([from, to]): [number, number] => [from, to])
  const seconds = unheard.reduce((sum, [from, to]) => sum + to - from, 0)
  return { unheard, share: end > start ? 1 - seconds / (end - start) : 1 }
}

/** Half the number of differences up to which they are minimal: the cost of a step grows with its square. */
const furthest = 100

/** Items `from` to `to` of one list replace `begin` to `end` of another; either range may be empty. */
export type Difference = { from: number; to: number; begin: number; end: number }

type IsSame = (indexBefore: number, indexAfter: number) => boolean

/**
 * The differences between two lists, in order; at least one equal item separates two of them. Myers' algorithm in
 * linear space (An O(ND) difference algorithm, 1986). Minimal up to 200 differences; of more, those that are found by
 * going as far as possible, again and again, so that lists that have little in common take no longer.
 * @param isSame whether an item of the first list equals one of the second, by their indexes
 */
export function findDifferences(before: number, after: number, isSame: IsSame): Difference[] {
  const found: Difference[] = []
  const rest = [{ from: 0, to: before, begin: 0, end: after }]
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    const isSameIn: IsSame = (a, b) => isSame(part.from + a, part.begin + b)
    const { head, tail } = equalEnds(part.to - part.from, part.end - part.begin, isSameIn)
    const [from, to, begin, end] = [part.from + head, part.to - tail, part.begin + head, part.end - tail]
    if (from < to && begin < end) {
      const [middle, between] = findMiddle(to - from, end - begin, (a, b) => isSame(from + a, begin + b))
      rest.push({ from: from + middle, to, begin: begin + between, end })
      rest.push({ from, to: from + middle, begin, end: begin + between })
      continue
    }
    const last = found.at(-1)
    if (last?.to === from && last.end === begin) Object.assign(last, { to, end })
    else if (from < to || begin < end) found.push({ from, to, begin, end })
  }
  return found
}

/** Lengths of the common prefix of two lists, and of the common suffix of the remainder. */
export function equalEnds(before: number, after: number, isSame: IsSame): { head: number; tail: number } {
  const most = Math.min(before, after)
  let head = 0
  while (head < most && isSame(head, head)) head++
  let tail = 0
  while (tail < most - head && isSame(before - 1 - tail, after - 1 - tail)) tail++
  return { head, tail }
}

/**
 * A point that a shortest path passes, by steps from both ends until they meet. If they are too far apart, the furthest
 * point that is reached from the beginning.
 */
function findMiddle(before: number, after: number, isSame: IsSame): [before: number, after: number] {
  const ahead = new Int32Array(2 * furthest + 3).fill(nowhere)
  const back = new Int32Array(2 * furthest + 3).fill(nowhere)
  const shift = before - after
  const isSameBack: IsSame = (a, b) => isSame(before - 1 - a, after - 1 - b)
  let [best, bestAfter] = [0, 0]
  for (let step = 0; step <= furthest; step++) {
    for (const reach of [ahead, back]) {
      const [other, same] = reach === ahead ? [back, isSame] : [ahead, isSameBack]
      const steps = reach === ahead ? step - 1 : step
      // Diagonals that have left either list are left out.
      for (let line = 2 * Math.max(0, step - after) - step; line <= step - 2 * Math.max(0, step - before); line += 2) {
        const at = advance(reach, step, line, before, after, same)
        const isOpposite = Math.abs(shift - line) <= steps && (shift - line - steps) % 2 === 0
        if (isOpposite && at + (other[shift - line + furthest + 1] ?? nowhere) >= before) {
          return reach === ahead ? [at, at - line] : [before - at, after - at + line]
        }
        if (reach === ahead && 2 * at - line > best + bestAfter) [best, bestAfter] = [at, at - line]
      }
    }
  }
  return [best, bestAfter]
}

/** The place on a diagonal that has left either list. */
const nowhere = -(2 ** 30)

/**
 * Goes one difference further on a diagonal, and along it while items are equal.
 * @returns the place in the first list, or `nowhere` if that leaves either list
 */
function advance(reach: Int32Array, step: number, line: number, before: number, after: number, isSame: IsSame): number {
  const here = line + furthest + 1
  const [below, above] = [(reach[here - 1] ?? nowhere) + 1, reach[here + 1] ?? nowhere]
  let at = Math.max(below <= before ? below : nowhere, above - line <= after ? above : nowhere)
  if (step === 0) at = 0
  while (at >= 0 && at < before && at - line < after && isSame(at, at - line)) at++
  reach[here] = at < 0 ? nowhere : at
  return reach[here] ?? nowhere
}

/** Above this many differences, lists count as entirely different: a minimal diff is not worth the memory. */
const mostDifferences = 3_000

/** Items `from` to `to` of one list replace `begin` to `end` of another; either range may be empty. */
export type Difference = { from: number; to: number; begin: number; end: number }

/**
 * The minimal differences between two lists, in order; at least one equal item separates two of them. Myers' algorithm
 * (An O(ND) difference algorithm, 1986), fast if the lists are similar. If they hardly are, returns one difference from
 * the first to the last.
 * @param isSame whether an item of the first list equals one of the second, by their indexes
 */
export function findDifferences(
  before: number,
  after: number,
  isSame: (indexBefore: number, indexAfter: number) => boolean,
): Difference[] {
  let head = 0
  while (head < before && head < after && isSame(head, head)) head++
  let tail = 0
  while (tail < Math.min(before, after) - head && isSame(before - 1 - tail, after - 1 - tail)) tail++
  const [old, now] = [before - head - tail, after - head - tail]
  if (old === 0 && now === 0) return []
  const whole = { from: head, to: head + old, begin: head, end: head + now }
  if (old === 0 || now === 0) return [whole]
  const rounds = reachEnd(old, now, (a, b) => isSame(head + a, head + b))
  return rounds === null ? [whole] : readBack(rounds, old, now, head)
}

/** How far a diagonal reaches in a round: `line` runs from -round to round. */
const reachOf = (rounds: readonly Int32Array[], round: number, line: number): number =>
  Math.abs(line) > round ? -1 : (rounds[round]?.[line + round] ?? -1)

/** True if a diagonal of a round is reached by an insertion, not by a deletion. */
const isPutIn = (rounds: readonly Int32Array[], round: number, line: number): boolean =>
  line === -round || (line !== round && reachOf(rounds, round - 1, line - 1) < reachOf(rounds, round - 1, line + 1))

/** How far each diagonal reaches per round (number of differences), until one reaches the end; null: too many. */
function reachEnd(old: number, now: number, isSame: (a: number, b: number) => boolean): Int32Array[] | null {
  const rounds: Int32Array[] = []
  for (let round = 0; round <= Math.min(mostDifferences, old + now); round++) {
    const reach = new Int32Array(2 * round + 1).fill(-1)
    for (let line = -round; line <= round; line += 2) {
      let at = 0
      if (round > 0) {
        const isPut = isPutIn(rounds, round, line)
        at = isPut ? reachOf(rounds, round - 1, line + 1) : reachOf(rounds, round - 1, line - 1) + 1
      }
      while (at < old && at - line < now && isSame(at, at - line)) at++
      reach[line + round] = at
      if (at >= old && at - line >= now) return [...rounds, reach]
    }
    rounds.push(reach)
  }
  return null
}

/** Reconstructs the differences on the path to the end, from the last step to the first. */
function readBack(rounds: readonly Int32Array[], old: number, now: number, head: number): Difference[] {
  const found: Difference[] = []
  let [a, b] = [old, now]
  for (let round = rounds.length - 1; round > 0; round--) {
    const line = a - b
    const isPut = isPutIn(rounds, round, line)
    const from = reachOf(rounds, round - 1, isPut ? line + 1 : line - 1)
    const begin = from - (isPut ? line + 1 : line - 1)
    const [to, end] = isPut ? [from, begin + 1] : [from + 1, begin]
    const next = found[0]
    if (next !== undefined && next.from === head + to && next.begin === head + end) {
      next.from = head + from
      next.begin = head + begin
    } else found.unshift({ from: head + from, to: head + to, begin: head + begin, end: head + end })
    ;[a, b] = [from, begin]
  }
  return found
}

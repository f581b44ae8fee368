/** Lengths of the common prefix of two lists, and of the common suffix of the remainder. */
export function equalEnds(
  lengthA: number,
  lengthB: number,
  same: (indexA: number, indexB: number) => boolean,
): { head: number; tail: number } {
  const most = Math.min(lengthA, lengthB)
  let head = 0
  while (head < most && same(head, head)) head++
  let tail = 0
  while (tail < most - head && same(lengthA - 1 - tail, lengthB - 1 - tail)) tail++
  return { head, tail }
}

/** Binary search: the number of sorted values less than `offset`. */
export function lowerBound(sorted: Uint32Array, offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Binary search: how many of `count` sorted items come before a place.
 * @param isBefore true of the items up to that place, false of those after it
 */
export function lowerBound(count: number, isBefore: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

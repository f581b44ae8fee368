/** `numerator / denominator` rounded to the nearest whole number, halves up; both whole and not negative. */
export function divideHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

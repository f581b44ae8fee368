import type { Place } from '../../../text/patches.ts'
import type { WordTable } from '../model/word-table.ts'

/**
 * The current words in place of the service's words `from` to `to`: typed ones, if somebody replaced them. If words next
 * to them were replaced as well and it is unclear which stand for which, the range is empty: it must not hold other words.
 * @param originalCount how many words the service's text has: at the end of the text all may be typed
 */
export function currentRange(table: WordTable, { from, to }: Place, originalCount: number): Place {
  let [left, leftOrigin, right] = [0, -1, 0]
  for (; right < table.count; right++) {
    const origin = table.origins[right] ?? -1
    if (origin >= to) break
    if (origin >= 0 && origin < from) [left, leftOrigin] = [right + 1, origin]
  }
  const rightOrigin = right < table.count ? (table.origins[right] ?? to) : originalCount
  const replacedBefore = from - leftOrigin - 1
  if (replacedBefore === 0 && rightOrigin === to) return { from: left, to: right }
  const isOneForOne = right - left === rightOrigin - leftOrigin - 1
  const first = Math.min(left + replacedBefore, right)
  return { from: first, to: isOneForOne ? first + to - from : first }
}

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

/**
 * The service's words of a span of the current text, or those that its typed words replaced; empty if they replaced none.
 * The reverse of {@link currentRange}.
 */
export function originalRange(table: WordTable, { from, to }: Place): Place {
  const originAt = (index: number) => table.origins[index] ?? -1
  let left = from - 1
  while (left >= 0 && originAt(left) < 0) left--
  let right = to
  while (right < table.count && originAt(right) < 0) right++
  const first = to > from && originAt(from) >= 0 ? originAt(from) : (left < 0 ? -1 : originAt(left)) + 1
  const next = right < table.count ? originAt(right) : first + to - from
  return { from: first, to: Math.max(first, to > from && originAt(to - 1) >= 0 ? originAt(to - 1) + 1 : next) }
}

/** The same as {@link currentRange}, without words that were inserted next to these. */
export function findWords(table: WordTable, place: Place): Place {
  const found = currentRange(table, place, place.to)
  let { from, to } = found
  for (let index = found.from; index < found.to; index++) {
    if (table.origins[index] === place.from) from = index
    if (table.origins[index] === place.to - 1) to = index + 1
  }
  return { from, to }
}

/** A span of words after the text has changed; null if nothing is left of it. */
export function carrySpan(before: WordTable, after: WordTable, span: Place): Place | null {
  const { from, to } = findWords(after, originalRange(before, span))
  return to > from ? { from, to } : null
}

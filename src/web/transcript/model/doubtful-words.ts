import type { WordSpan } from './word.ts'
import type { WordTable } from './word-table.ts'

/** The next run of doubtful words after a word (1) or before it (-1), wrapping around; null if there is none. */
export function nextDoubt(table: WordTable, from: number, by: 1 | -1, below: number): WordSpan | null {
  const isDoubtful = (word: number) => table.confOf(word) < below
  for (let step = 0; step < table.count; step++) {
    const word = (from + by * step + table.count * 2) % table.count
    if (!isDoubtful(word)) continue
    let first = word
    while (first > 0 && isDoubtful(first - 1)) first--
    let end = word + 1
    while (end < table.count && isDoubtful(end)) end++
    return { from: first, to: end }
  }
  return null
}

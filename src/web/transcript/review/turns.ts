import { equalEnds } from '../../../text/differences.ts'
import { isCovered, type WordRange } from '../../../text/word-ranges.ts'
import type { WordChange } from '../edit/operation.ts'
import type { Blocks } from '../model/blocks.ts'
import type { WordTable } from '../model/word-table.ts'

type Text = { table: WordTable; blocks: Blocks }

/**
 * The service's words of the turn from `from` to before `end`. For a turn of only typed words: those that it replaced,
 * else the preceding word.
 */
export function rangeOfTurn(table: WordTable, from: number, end: number): WordRange {
  const first = firstOfService(table, from, end)
  if (first < end) return [table.originOf(first), table.originOf(end - 1) + 1]
  const before = from === 0 ? 0 : table.originOf(from - 1) + 1
  const next = firstOfService(table, end, table.count)
  const after = next < table.count ? table.originOf(next) : before
  return after > before ? [before, after] : [Math.max(0, before - 1), Math.max(1, before)]
}

function firstOfService(table: WordTable, from: number, end: number): number {
  let word = from
  while (word < end && (table.origins[word] ?? -1) < 0) word++
  return word
}

/**
 * The service's words of the turns in which changes have replaced, added or removed text. Speakers, times, confidence
 * and where turns end are not text.
 */
export function changedTurns(before: Text, after: Text, changes: readonly WordChange[]): WordRange[] {
  let shift = 0
  return changes.flatMap(({ at, removed, inserted }) => {
    const { head, tail } = equalEnds(removed.length, inserted.length, (a, b) => removed[a]?.text === inserted[b]?.text)
    const now = at + shift
    shift += inserted.length - removed.length
    return [
      ...rangesOfTurns(before, at + head, at + removed.length - tail),
      ...rangesOfTurns(after, now + head, now + inserted.length - tail),
    ]
  })
}

/** The ranges of all turns with words from `from` to before `to`. */
function rangesOfTurns({ table, blocks }: Text, from: number, to: number): WordRange[] {
  const ranges: WordRange[] = []
  for (let word = from; word < to; ) {
    const turn = blocks.turnOf(blocks.blockOf(word))
    ranges.push(rangeOfTurn(table, turn.from, turn.end))
    word = turn.end
  }
  return ranges
}

/** The first block of the next unchecked turn, starting at a block and wrapping around; null if all are checked. */
export function nextUnchecked(
  { table, blocks }: Text,
  checked: readonly WordRange[],
  fromBlock: number,
): number | null {
  for (let step = 0; step < blocks.count; step++) {
    const block = (fromBlock + step) % blocks.count
    if (!blocks.startsTurn(block)) continue
    const { from, end } = blocks.turnOf(block)
    if (!isCovered(checked, rangeOfTurn(table, from, end))) return block
  }
  return null
}

/** The number of checked turns and of all turns. */
export function countTurns({ table, blocks }: Text, checked: readonly WordRange[]): { checked: number; turns: number } {
  let count = 0
  for (let block = 0; block < blocks.count; ) {
    const { from, end } = blocks.turnOf(block)
    if (isCovered(checked, rangeOfTurn(table, from, end))) count++
    block = end >= table.count ? blocks.count : blocks.blockOf(end)
  }
  return { checked: count, turns: blocks.turns }
}

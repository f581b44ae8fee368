import type { WordTable } from '../model/word-table.ts'
import type { WordChange } from './operation.ts'

/** One change that turns a text into another: what is the same at both ends is left alone. */
export function wholeChange(before: WordTable, after: WordTable): WordChange {
  const same = (a: number, b: number) =>
    before.origins[a] === after.origins[b] &&
    before.speakers[a] === after.speakers[b] &&
    before.turnEnds[a] === after.turnEnds[b] &&
    Object.is(before.confs[a], after.confs[b]) &&
    before.wordText(a) === after.wordText(b)
  const most = Math.min(before.count, after.count)
  let head = 0
  while (head < most && same(head, head)) head++
  let tail = 0
  while (tail < most - head && same(before.count - 1 - tail, after.count - 1 - tail)) tail++
  return {
    at: head,
    removed: before.words(head, before.count - tail),
    inserted: after.words(head, after.count - tail),
  }
}

import { equalEnds } from '../../../text/differences.ts'
import type { WordTable } from '../model/word-table.ts'
import { isSameCue } from './changes.ts'
import type { WordChange } from './operation.ts'

/** The single change that turns one text into another, without the equal words at both ends. */
export function wholeChange(before: WordTable, after: WordTable): WordChange {
  const same = (a: number, b: number) =>
    before.origins[a] === after.origins[b] &&
    before.speakerOf(a) === after.speakerOf(b) &&
    before.endsTurn(a) === after.endsTurn(b) &&
    Object.is(before.confOf(a), after.confOf(b)) &&
    isSameCue({ cue: before.cueOf(a) }, { cue: after.cueOf(b) }) &&
    before.wordText(a) === after.wordText(b)
  const { head, tail } = equalEnds(before.count, after.count, same)
  return {
    at: head,
    removed: before.words(head, before.count - tail),
    inserted: after.words(head, after.count - tail),
  }
}

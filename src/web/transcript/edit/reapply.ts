import type { CorrectionSet, Patch, PatchWord } from '../../../contract/account/corrections.ts'
import type { Place } from '../../../text/patches.ts'
import { fitSpeakers, type LostName } from '../../../text/speakers.ts'
import { TimeIndex } from '../model/time-index.ts'
import type { Splice, WordTable } from '../model/word-table.ts'
import { locate } from './locate.ts'
import type { Base, Corrected } from './operation.ts'
import { wordsOfPatch } from './patches.ts'

/**
 * A correction of words that the newer version also changed. `place`: the words there now, by the service's numbers;
 * null if the recording is now shorter than that.
 */
export type WordsConflict = { patch: Patch; place: Place | null }
/** A conflict to resolve: of words, or of a speaker's name that was also changed by somebody else. */
export type Conflict = WordsConflict | LostName

/**
 * Applies corrections to a version of the text. On the version that was corrected, all of them apply; on a newer one,
 * those whose words and neighbors are found near their time. The others become conflicts for the user to resolve.
 */
export function reapply(base: Base, set: CorrectionSet): Corrected & { conflicts: WordsConflict[] } {
  const { table } = base
  const { names, patches } = fitSpeakers(base.names, set)
  const times = base.fingerprint === set.fingerprint ? null : new TimeIndex(table)
  const splices: Splice[] = []
  const conflicts: WordsConflict[] = []
  let free = 0
  for (const patch of patches) {
    const found = times === null ? { from: patch.from, to: patch.to, exact: true } : locate(table, times, patch)
    if (found !== null && !found.exact && isAlreadyCorrected(table, found, patch)) continue
    if (found?.exact !== true || found.from < free) {
      conflicts.push({ patch, place: found === null ? null : { from: found.from, to: found.to } })
      continue
    }
    splices.push({ from: found.from, to: found.to, words: wordsOfPatch(patch, found.from) })
    free = found.to
  }
  return { table: table.spliced(splices), names, conflicts }
}

/** True if the newer version already has the corrected words. */
export function isAlreadyCorrected(base: WordTable, { from, to }: Place, { words }: Patch): boolean {
  const isThere = ({ text, endsTurn, cue }: PatchWord, index: number) =>
    cue === undefined && text === base.wordText(from + index) && endsTurn === base.endsTurn(from + index)
  return words.length === to - from && words.every(isThere)
}

/** Unresolved conflicts of an older version, relocated in this one. */
export function relocateConflicts(base: WordTable, conflicts: readonly Conflict[]): Conflict[] {
  const times = new TimeIndex(base)
  return conflicts.map((conflict) => {
    return 'patch' in conflict ? { ...conflict, place: locate(base, times, conflict.patch) } : conflict
  })
}

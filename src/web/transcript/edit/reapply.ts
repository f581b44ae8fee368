import type { CorrectionSet, Patch } from '../../../contract/account/corrections.ts'
import type { Place } from '../../../text/patches.ts'
import { fitSpeakers, type LostName } from '../../../text/speakers.ts'
import { TimeIndex } from '../model/time-index.ts'
import type { Splice, WordTable } from '../model/word-table.ts'
import { locate, locateAll } from './locate.ts'
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
  const all = patches.map((patch) => ({ patch }))
  const located = locateAll(table, all, base.fingerprint === set.fingerprint)
  const splices = located.flatMap(({ patch, place, fits }): Splice[] =>
    fits ? [{ ...place, words: wordsOfPatch(patch, place.from) }] : [],
  )
  const conflicts = located.flatMap(({ patch, place, fits }) => (fits ? [] : [{ patch, place }]))
  return { table: table.spliced(splices), names, conflicts }
}

/** Unresolved conflicts of an older version, relocated in this one. */
export function relocateConflicts(base: WordTable, conflicts: readonly Conflict[]): Conflict[] {
  const times = new TimeIndex(base)
  return conflicts.map((conflict) => {
    return 'patch' in conflict ? { ...conflict, place: locate(base, times, conflict.patch) } : conflict
  })
}

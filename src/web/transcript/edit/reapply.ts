import type { CorrectionSet, Patch } from '../../../contract/account/corrections.ts'
import type { LostName, Place } from '../../../text/correction-set.ts'
import { TimeIndex } from '../model/time-index.ts'
import type { Splice, WordTable } from '../model/word-table.ts'
import { locate } from './locate.ts'
import type { Corrected } from './operation.ts'
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
export function reapply(
  base: WordTable,
  baseNames: readonly string[],
  set: CorrectionSet,
  fingerprint: string,
): Corrected & { conflicts: WordsConflict[] } {
  const speakers = matchNames(baseNames, set)
  const same = fingerprint === set.fingerprint
  const times = same ? null : new TimeIndex(base)
  const splices: Splice[] = []
  const conflicts: WordsConflict[] = []
  let free = 0
  for (const patch of set.patches) {
    const found = times === null ? { from: patch.from, to: patch.to, exact: true } : locate(base, times, patch)
    if (found !== null && !found.exact && isAlreadyCorrected(base, found, patch)) continue
    if (found?.exact !== true || found.from < free) {
      conflicts.push({ patch, place: found === null ? null : { from: found.from, to: found.to } })
      continue
    }
    const inserted = wordsOfPatch(patch, found.from, speakers.indexOf)
    splices.push({ at: found.from, removed: found.to - found.from, inserted })
    free = found.to
  }
  return { table: splices.length === 0 ? base : base.spliced(splices), names: speakers.names, conflicts }
}

/** The names to show, and for each speaker of the corrections its index among them. */
function matchNames(
  baseNames: readonly string[],
  set: Pick<CorrectionSet, 'baseNames' | 'names'>,
): { names: string[]; indexOf: (speaker: number) => number } {
  const names = [...baseNames]
  const places = set.names.map((name, index) => {
    const known = index < set.baseNames.length ? baseNames.indexOf(set.baseNames[index] ?? '') : -1
    if (known === -1) return names.includes(name) ? names.indexOf(name) : names.push(name) - 1
    names[known] = name
    return known
  })
  return { names, indexOf: (speaker) => places[speaker] ?? -1 }
}

/** True if the newer version already has the corrected words. */
export function isAlreadyCorrected(
  base: WordTable,
  { from, to }: { from: number; to: number },
  { words }: Patch,
): boolean {
  const ends = (word: number) => base.endsTurn(word)
  return (
    words.length === to - from &&
    words.every(
      ({ text, endsTurn, cue }, index) =>
        cue === undefined && text === base.wordText(from + index) && endsTurn === ends(from + index),
    )
  )
}

/** Unresolved conflicts of an older version, relocated in this one. */
export function relocateConflicts(base: WordTable, conflicts: readonly Conflict[]): Conflict[] {
  const times = new TimeIndex(base)
  return conflicts.map((conflict) => {
    return 'patch' in conflict ? { ...conflict, place: locate(base, times, conflict.patch) } : conflict
  })
}

import { TimeIndex } from '../model/time-index.ts'
import type { Splice, WordTable } from '../model/word-table.ts'
import { locate } from './locate.ts'
import type { Corrected } from './operation.ts'
import { type Patch, wordsOfPatch } from './patches.ts'

/** Corrections as they are kept: what was changed, over which version, with which names. */
export type CorrectionSet = {
  fingerprint: string
  patches: readonly Patch[]
  /** the speakers' names of the version, and as they are now; added speakers stand at the end */
  baseNames: readonly string[]
  names: readonly string[]
}

/**
 * A correction whose place the newer version changed too. `from` to `to`: what stands there now, as the service numbers
 * its words; null where the recording does not go so far any more.
 */
export type Conflict = { patch: Patch; place: { from: number; to: number } | null }

/**
 * Puts corrections over a version of the text. The version they were made over takes all of them; a newer one takes
 * those whose words and neighbours it still has, found near their time; the others are conflicts for a person.
 */
export function reapply(
  base: WordTable,
  baseNames: readonly string[],
  set: CorrectionSet,
  fingerprint: string,
): Corrected & { conflicts: Conflict[] } {
  const speakers = matchNames(baseNames, set)
  const same = fingerprint === set.fingerprint
  const times = same ? null : new TimeIndex(base)
  const splices: Splice[] = []
  const conflicts: Conflict[] = []
  let free = 0
  for (const patch of set.patches) {
    const found = times === null ? { from: patch.from, to: patch.to, exact: true } : locate(base, times, patch)
    if (found !== null && !found.exact && saysTheSame(base, found, patch)) continue
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

/** The names to show, and where each kept speaker stands among them. */
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

/** The newer version has these very words: there is nothing left to correct. */
function saysTheSame(base: WordTable, { from, to }: { from: number; to: number }, { words }: Patch): boolean {
  const ends = (word: number) => base.endsTurn(word)
  return (
    words.length === to - from &&
    words.every(({ text, endsTurn }, index) => text === base.wordText(from + index) && endsTurn === ends(from + index))
  )
}

/** Conflicts of an older version that nobody has decided on, with their places in this one. */
export function relocated(base: WordTable, conflicts: readonly Conflict[]): Conflict[] {
  const times = new TimeIndex(base)
  return conflicts.map(({ patch }) => ({ patch, place: locate(base, times, patch) }))
}

import { TimeIndex } from '../model/time-index.ts'
import type { Splice, WordTable } from '../model/word-table.ts'
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

/** A correction whose place the newer version changed too. `from` to `to`: the words there now, null where it is gone. */
export type Conflict = { patch: Patch; place: { from: number; to: number } | null }

/** How far from its time a place is looked for, in words. */
const searchWords = 400
/** How many more or fewer words may stand between the same neighbours for a place to count as changed there. */
const slackWords = 12

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
export function matchNames(
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

type Found = { from: number; to: number; exact: boolean }

/** The place of a patch in another version: the same words there (exact), other words between the same neighbours, or null. */
export function locate(base: WordTable, times: TimeIndex, patch: Patch): Found | null {
  const middle = Math.max(0, times.nearest(patch.startSeconds))
  let changed: Found | null = null
  for (const from of outward(middle, searchWords, base.count)) {
    if (!stands(base, from - patch.before.length, patch.before)) continue
    const to = from + patch.old.length
    if (stands(base, from, patch.old) && stands(base, to, patch.after) && endsAlike(base, to, patch)) {
      return { from, to, exact: true }
    }
    changed ??= changedPlace(base, from, patch)
  }
  return changed
}

/** A patch at the very end must be at the end again, and one at the beginning at the beginning. */
function endsAlike(base: WordTable, to: number, patch: Patch): boolean {
  return patch.after.length > 0 || to === base.count
}

function changedPlace(base: WordTable, from: number, patch: Patch): Found | null {
  const least = Math.max(0, patch.old.length - slackWords)
  for (let length = least; length <= patch.old.length + slackWords; length++) {
    const to = from + length
    if (to > base.count) return null
    if (stands(base, to, patch.after) && endsAlike(base, to, patch)) return { from, to, exact: false }
  }
  return null
}

function stands(base: WordTable, at: number, words: readonly string[]): boolean {
  if (at < 0 || at + words.length > base.count) return false
  return words.every((word, index) => base.wordText(at + index) === word)
}

/** Places from the middle outward, the near ones first. */
function* outward(middle: number, reach: number, count: number): Generator<number> {
  yield Math.min(middle, count)
  for (let step = 1; step <= reach; step++) {
    if (middle + step <= count) yield middle + step
    if (middle - step >= 0) yield middle - step
  }
}

import type { CorrectionSet, KeptCorrections } from '../../../contract/account/corrections.ts'
import { changeBetween, mergeSets } from '../../../text/correction-set.ts'
import type { Original } from '../../../text/merge-words.ts'
import type { Synced } from '../edit/correction-store.ts'
import type { Base } from '../edit/operation.ts'
import { makeSet, makeTablePatch } from '../edit/patches.ts'
import { type Conflict, reapply } from '../edit/reapply.ts'

/** Corrections of the current text, and those that conflict with it. */
export type Applied = { set: CorrectionSet; conflicts: readonly Conflict[] }
/** The service's corrections, as they apply here and as this device remembers them. */
export type FromService = Applied & { synced: Synced }

/** The empty set of corrections of a text. */
export function makeEmptySet({ fingerprint, names }: Base): CorrectionSet {
  return { fingerprint, baseNames: names, names, patches: [] }
}

/** A set of corrections applied to this text; those that do not fit become conflicts. */
export function applyToText(base: Base, set: CorrectionSet): Applied {
  if (set.fingerprint === base.fingerprint) return { set, conflicts: [] }
  const { conflicts, ...now } = reapply(base, set)
  return { set: makeSet(base, now), conflicts }
}

/** The service's corrections, applied to this text. */
export function fromService(base: Base, { revision, set }: KeptCorrections): FromService {
  const taken = applyToText(base, set ?? makeEmptySet(base))
  const isOlder = set !== null && set.fingerprint !== base.fingerprint
  // Corrections of an older text are replaced as a whole on the service.
  const synced = isOlder ? { revision, set: makeEmptySet(base), isOlder } : { revision, set: taken.set }
  return { ...taken, synced }
}

/** Like `fromService`, if the service has nothing newer than this device remembers, even for an older text. */
export function fromMemory(base: Base, known: Synced): FromService {
  if (known.set.fingerprint === base.fingerprint) return { set: known.set, conflicts: [], synced: known }
  if (known.isOlder !== true) return fromService(base, known)
  const set = makeEmptySet(base)
  return { set, conflicts: [], synced: { revision: known.revision, set, isOlder: true } }
}

/**
 * Merges the service's corrections into this device's; null: nothing changes.
 * @param before the service's state as of the last sync
 */
export function mergeService(base: Base, before: CorrectionSet, mine: CorrectionSet, service: Applied): Applied | null {
  const { table } = base
  const original: Original = {
    source: table,
    wordsAt: ({ from, to }) => makeTablePatch(table, from, to, table.words(from, to)).words,
  }
  const { set, lost, lostNames } = mergeSets(before, mine, service.set, original)
  const words = lost.map((patch) => ({ patch, place: { from: patch.from, to: patch.to } }))
  const conflicts = [...service.conflicts, ...words, ...lostNames]
  return changeBetween(mine, set, '') === null && conflicts.length === 0 ? null : { set, conflicts }
}

/**
 * Adds conflicts to others, without duplicates, e.g. if both this device and the service had them. Words and times
 * identify a conflict; neighbors may differ if it passed through texts that another did not.
 */
export function addConflicts(known: readonly Conflict[], more: readonly Conflict[]): Conflict[] {
  const seen = new Set(known.map(identifyConflict))
  return [...known, ...more.filter((conflict) => !seen.has(identifyConflict(conflict)))]
}

function identifyConflict(conflict: Conflict): string {
  if ('name' in conflict) return JSON.stringify(conflict)
  const { words, startSeconds } = conflict.patch
  return JSON.stringify(
    words.length === 0 ? startSeconds : words.map(({ text, start, end, cue }) => [text, start, end, cue]),
  )
}

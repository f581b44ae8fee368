import type { CorrectionSet, KeptCorrections } from '../../../contract/account/corrections.ts'
import { changeBetween, mergeSets, type Place } from '../../../text/correction-set.ts'
import type { Synced } from '../edit/correction-store.ts'
import type { Base } from '../edit/corrections.ts'
import { patchesOf, patchOf } from '../edit/patches.ts'
import { type Conflict, reapply } from '../edit/reapply.ts'

/** Corrections of the text that is here, and what does not fit it. */
export type TakenIn = { set: CorrectionSet; conflicts: readonly Conflict[] }
/** What the service keeps, as it applies here, and as this device remembers it. */
export type FromService = TakenIn & { synced: Synced }

/** No corrections of a text. */
export function nothingOf({ fingerprint, names }: Base): CorrectionSet {
  return { fingerprint, baseNames: names, names, patches: [] }
}

/** A set as it applies to this text; what does not fit is a conflict. */
export function ofText(base: Base, set: CorrectionSet): TakenIn {
  if (set.fingerprint === base.fingerprint) return { set, conflicts: [] }
  const { table, names, conflicts } = reapply(base.table, base.names, set, base.fingerprint)
  return { set: { ...nothingOf(base), names, patches: patchesOf(base.table, table) }, conflicts }
}

/** What the service keeps, as it applies to this text. */
export function fromService(base: Base, { revision, set }: KeptCorrections): FromService {
  const taken = ofText(base, set ?? nothingOf(base))
  const isOlder = set !== null && set.fingerprint !== base.fingerprint
  // What the service has of an older text is replaced as a whole.
  const synced = isOlder ? { revision, set: nothingOf(base), isOlder } : { revision, set: taken.set }
  return { ...taken, synced }
}

/** The same where the service has nothing newer than what this device remembers, be it of an older text. */
export function fromMemory(base: Base, known: Synced): FromService {
  if (known.set.fingerprint === base.fingerprint) return { set: known.set, conflicts: [], synced: known }
  if (known.isOlder !== true) return fromService(base, known)
  const set = nothingOf(base)
  return { set, conflicts: [], synced: { revision: known.revision, set, isOlder: true } }
}

/**
 * What becomes of this device's corrections once the service's are taken in; null: nothing.
 * @param before what the service had when it was last heard of
 */
export function merged(base: Base, before: CorrectionSet, mine: CorrectionSet, service: TakenIn): TakenIn | null {
  const wordsAt = ({ from, to }: Place) => [...patchOf(base.table, from, to, base.table.words(from, to)).words]
  const { set, lost, lostNames } = mergeSets(before, mine, service.set, wordsAt)
  const words = lost.map((patch) => ({ patch, place: { from: patch.from, to: patch.to } }))
  const conflicts = [...service.conflicts, ...words, ...lostNames]
  return changeBetween(mine, set, '') === null && conflicts.length === 0 ? null : { set, conflicts }
}

/**
 * Conflicts with others that come to them; what is there already, as where both this device and the service had it, is not
 * repeated. Its words and their times say what it is: neighbours differ where it went through texts that another did not.
 */
export function withConflicts(known: readonly Conflict[], more: readonly Conflict[]): Conflict[] {
  const seen = new Set(known.map(identityOf))
  return [...known, ...more.filter((conflict) => !seen.has(identityOf(conflict)))]
}

function identityOf(conflict: Conflict): string {
  if ('name' in conflict) return JSON.stringify(conflict)
  const { words, startSeconds } = conflict.patch
  return JSON.stringify(
    words.length === 0 ? startSeconds : words.map(({ text, start, end, cue }) => [text, start, end, cue]),
  )
}

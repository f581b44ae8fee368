import type { CorrectionChange, CorrectionSet, Patch } from '../contract/account/corrections.ts'
import { maxPatches } from '../contract/interface/limits.ts'
import { lowerBound } from './lower-bound.ts'
import { isSame, mergePlace, type Original } from './merge-words.ts'
import { byPlace, doTouch, groupPlaces, type Place } from './patches.ts'
import { type LostName, mergeNames, withSpeakers } from './speakers.ts'

const rangeKey = ({ from, to }: Place): string => `${from}-${to}`

/** The change from one set to another of the same text, ready to send. Null if they are equal. */
export function changeBetween(before: CorrectionSet, after: CorrectionSet, label: string): CorrectionChange | null {
  const { fingerprint, baseNames, names } = after
  const differences = diffPatches(before.patches, after.patches)
  const { remove, put } = differences
  if (remove.length === 0 && put.length === 0 && isSame(before.names, names)) return null
  return { fingerprint, baseNames, names, remove: remove.map(({ from, to }) => [from, to]), put: [...put], label }
}

function diffPatches(before: readonly Patch[], after: readonly Patch[]): Differences {
  const old = new Map(before.map((patch) => [rangeKey(patch), patch]))
  const kept = new Set<Patch>()
  const put = after.filter((patch) => {
    const same = old.get(rangeKey(patch))
    if (same === undefined || !(same === patch || isSame(same, patch))) return true
    kept.add(same)
    return false
  })
  return { remove: before.filter((patch) => !kept.has(patch)), put }
}

/** The places where two sets of one text differ, in order; overlapping or adjacent ones are merged. */
export function differentPlaces(before: CorrectionSet, after: CorrectionSet): Place[] {
  const { remove, put } = diffPatches(before.patches, after.patches)
  return groupPlaces([...remove, ...put], doTouch).map(({ from, to }) => ({ from, to }))
}

/** A change that does not fit its set; the message describes the problem. */
export class BadChangeError extends Error {
  override readonly name = 'BadChangeError'
}

/**
 * Validates a change against the places already corrected.
 * @param places of the existing patches
 * @param words number of words in the service's text
 * @throws BadChangeError if it removes a patch that does not exist, or if patches would overlap, exceed the text, or
 *   refer to an unknown speaker
 * @returns the places after it, sorted
 */
export function checkChange(places: readonly Place[], change: CorrectionChange, words: number): Place[] {
  const before = change.anew === true ? [] : places
  const { gone, after } = placesAfter(before, change)
  if (before.length + change.put.length - after.length !== gone) {
    throw new BadChangeError('A correction to be removed is not there.')
  }
  for (const patch of change.put) requireSound(patch, change.names.length, words)
  if (after.length > maxPatches) throw new BadChangeError(`A transcript can have at most ${maxPatches} corrections.`)
  for (const [index, place] of after.entries()) {
    const previous = after[index - 1]
    if (previous !== undefined && (place.from < previous.to || rangeKey(place) === rangeKey(previous))) {
      throw new BadChangeError(`Two corrections overlap at word ${place.from}.`)
    }
  }
  return after
}

function requireSound({ from, to, old, words }: Patch, speakers: number, count: number): void {
  if (to > count) throw new BadChangeError(`The transcript has no word ${to}: it has ${count} words.`)
  if (old.length !== to - from) throw new BadChangeError(`The old words at word ${from} are not as many as it says.`)
  for (const word of words) {
    if (word.speaker >= speakers) throw new BadChangeError(`There is no speaker ${word.speaker}.`)
    if (word.old >= old.length) throw new BadChangeError(`There is no old word ${word.old} at word ${from}.`)
  }
}

/** Returns the set after a valid change; the argument is not modified. */
export function applyChange(set: CorrectionSet | null, change: CorrectionChange): CorrectionSet {
  const { fingerprint, baseNames, names } = change
  const before = change.anew === true ? [] : (set?.patches ?? [])
  return { fingerprint, baseNames, names, patches: placesAfter(before, change).after }
}

/** One change that does what two do, one after the other. */
export function joinChanges(first: CorrectionChange, second: CorrectionChange): CorrectionChange {
  if (second.anew === true) return second
  const gone = new Set(second.remove.map(([from, to]) => rangeKey({ from, to })))
  const added = new Set(first.put.map(rangeKey))
  return {
    ...second,
    ...(first.anew === true && { anew: true }),
    // What the first one added was not there before it, unless it replaced it.
    remove: [...first.remove, ...second.remove.filter(([from, to]) => !added.has(rangeKey({ from, to })))],
    put: [...first.put.filter((patch) => !gone.has(rangeKey(patch))), ...second.put],
  }
}

/** The patches that a change keeps and adds, sorted; `gone`: number of places that it asks to remove. */
function placesAfter<One extends Place>(before: readonly One[], { remove, put }: CorrectionChange) {
  const gone = new Set(remove.map(([from, to]) => rangeKey({ from, to })))
  const after: (One | Patch)[] = [...before.filter((place) => !gone.has(rangeKey(place))), ...put]
  return { gone: gone.size, after: after.sort(byPlace) }
}

/** Joins adjacent patches into the form that a single edit would have, so that equal texts have equal sets. */
export function withTouchingJoined(patches: readonly Patch[]): Patch[] {
  const joined: Patch[] = []
  for (const patch of patches) {
    const last = joined.at(-1)
    if (last === undefined || last.to !== patch.from) joined.push(patch)
    else joined[joined.length - 1] = joinPatches(last, patch)
  }
  return joined
}

function joinPatches(first: Patch, second: Patch): Patch {
  const shift = first.old.length
  const words = second.words.map((word) => (word.old < 0 ? word : { ...word, old: word.old + shift }))
  return {
    ...first,
    to: second.to,
    old: [...first.old, ...second.old],
    after: second.after,
    words: [...first.words, ...words],
  }
}

/** A merged set, and my changes that are not in it: they are shown, and the user decides. */
export type Merged = { set: CorrectionSet; lost: Patch[]; lostNames: LostName[] }

/**
 * Three-way merge of two sets of one text with a common base. On conflict (both changed the same words, or the same
 * name, differently) theirs wins and mine is returned as lost.
 * @param original the text that they correct
 */
export function mergeSets(base: CorrectionSet, mine: CorrectionSet, theirs: CorrectionSet, original: Original): Merged {
  const { names, speakerOf, lostNames } = mergeNames(base.names, mine.names, theirs.names)
  const own = mine.patches.map((patch) => withSpeakers(patch, speakerOf))
  const changedBy = (isMine: boolean, { remove, put }: Differences) =>
    [...remove, ...put].map(({ from, to }) => ({ from, to, isMine }))
  const changed = [
    ...changedBy(true, diffPatches(base.patches, own)),
    ...changedBy(false, diffPatches(base.patches, theirs.patches)),
  ]
  const [inBase, inMine] = [new PatchIndex(base.patches), new PatchIndex(own)]
  const inTheirs = new PatchIndex(theirs.patches)
  const gone = new Set<Patch>()
  const put: Patch[] = []
  const lost: Patch[] = []
  for (const { members, ...place } of groupPlaces(changed, doTouch)) {
    if (!members.some(({ isMine }) => isMine)) continue
    const other = inTheirs.within(place)
    for (const patch of other) gone.add(patch)
    if (members.every(({ isMine }) => isMine)) put.push(...inMine.within(place))
    else {
      const sides = { base: inBase.within(place), mine: inMine.within(place), theirs: other }
      const merged = mergePlace(place, sides, original)
      put.push(...merged.put)
      if (merged.lost !== null) lost.push(merged.lost)
    }
  }
  const kept = theirs.patches.filter((patch) => !gone.has(patch))
  const patches = withTouchingJoined([...kept, ...put].sort(byPlace))
  return { set: { ...theirs, names, patches }, lost, lostNames }
}

/** Patches of one text by place. */
class PatchIndex {
  readonly #sorted: readonly Patch[]

  constructor(patches: readonly Patch[]) {
    this.#sorted = [...patches].sort(byPlace)
  }

  /** Those of a place, in order; places of patches never overlap. */
  within({ from, to }: Place): Patch[] {
    const found: Patch[] = []
    const first = lowerBound(this.#sorted.length, (at) => (this.#sorted[at]?.from ?? 0) < from)
    for (let index = first; index < this.#sorted.length; index++) {
      const patch = this.#sorted[index] as Patch
      if (patch.from > to) break
      if (patch.to <= to) found.push(patch)
    }
    return found
  }
}

type Differences = { remove: Patch[]; put: Patch[] }

import type { Patch, PatchWord } from '../../../contract/account/corrections.ts'
import type { Place } from '../../../text/patches.ts'
import { bareWord } from '../../../text/verbatim.ts'
import { TimeIndex } from '../model/time-index.ts'
import type { WordTable } from '../model/word-table.ts'

/** The location of a correction in another version; `exact`: the corrected words are there, unchanged. */
type Found = Place & { exact: boolean }

/**
 * Something to apply at a place in another version. `place`: the words there now, null if the recording is shorter than
 * that; `fits`: they are those that were corrected, and nothing else applies there.
 */
type Located<One> = One & ({ fits: true; place: Place } | { fits: false; place: Place | null })

/**
 * Locates corrections in a text, in order; leaves out those that it already has.
 * @param isSame true if it is the text they were made for
 */
export function locateAll<One extends { patch: Patch }>(
  table: WordTable,
  all: readonly One[],
  isSame = false,
): Located<One>[] {
  const times = isSame ? null : new TimeIndex(table)
  let free = 0
  return all.flatMap((one): Located<One>[] => {
    const { from, to } = one.patch
    const found = times === null ? { from, to, exact: true } : locate(table, times, one.patch)
    if (found?.exact === false && isAlreadyCorrected(table, found, one.patch)) return []
    const place = found && { from: found.from, to: found.to }
    if (place === null || !found?.exact || place.from < free) return [{ ...one, fits: false, place }]
    free = place.to
    return [{ ...one, fits: true, place }]
  })
}

/** True if the newer version already has the corrected words. */
function isAlreadyCorrected(base: WordTable, { from, to }: Place, { words }: Patch): boolean {
  const isThere = ({ text, endsTurn, cue }: PatchWord, index: number) =>
    cue === undefined && text === base.wordText(from + index) && endsTurn === base.endsTurn(from + index)
  return words.length === to - from && words.every(isThere)
}

/** Search radius around the original time, in words. */
const searchWords = 400
/** Up to this distance, in words, half of the neighbors must match; beyond it, all. */
const nearWords = 40
/** Tolerated difference in the number of words between the same neighbors. */
const slackWords = 12

/**
 * Finds the location of a correction in another version of the text: its old words between the same neighbors, or near
 * its time between most of them (exact); else other words between the same neighbors; else the words spoken at its
 * time. Null if the recording is shorter than that.
 */
export function locate(base: WordTable, times: TimeIndex, patch: Patch): Found | null {
  const middle = Math.max(0, times.nearest(patch.startSeconds))
  const all = patch.before.length + patch.after.length
  let best: { from: number; likeness: number } | null = null
  for (const from of outward(middle, searchWords, base.count)) {
    const likeness = likenessAt(base, from, patch)
    const isEnough = likeness === all || (likeness * 2 >= all && Math.abs(from - middle) <= nearWords)
    if (isEnough && likeness > (best?.likeness ?? -1)) best = { from, likeness }
    if (likeness === all) break
  }
  if (best !== null) return { from: best.from, to: best.from + patch.old.length, exact: true }
  return (
    changedPlace(base, middle, patch, patch, searchWords) ??
    changedPlace(base, middle, patch, { before: patch.before.slice(-1), after: patch.after.slice(0, 1) }, nearWords) ??
    placeByTime(base, times, patch)
  )
}

/**
 * The number of matching neighbors if the old words are at `from`; -1 if they are not, or if it cannot be the place.
 */
function likenessAt(base: WordTable, from: number, patch: Patch): number {
  const to = from + patch.old.length
  if (!hasWordsAt(base, from, patch.old)) return -1
  // A correction at an end of the text can only match at that end.
  if (patch.after.length === 0 && to !== base.count) return -1
  if (patch.before.length === 0 && from !== 0 && patch.old.length === 0) return -1
  const before = patch.before.filter((word, index) =>
    isSimilarAt(base, from - patch.before.length + index, word),
  ).length
  const after = patch.after.filter((word, index) => isSimilarAt(base, to + index, word)).length
  // For insertions, the two surrounding words are the only evidence.
  if (
    patch.old.length === 0 &&
    !(isBeside(base, from - 1, patch.before.at(-1)) && isBeside(base, to, patch.after[0]))
  ) {
    return -1
  }
  return before + after
}

const isBeside = (base: WordTable, at: number, word: string | undefined) =>
  word === undefined || isSimilarAt(base, at, word)

type Neighbours = Pick<Patch, 'before' | 'after'>

/** The place between these neighbors, whether it has other words or none. */
function changedPlace(
  base: WordTable,
  middle: number,
  { old }: Patch,
  { before, after }: Neighbours,
  reach: number,
): Found | null {
  const areSimilarAt = (at: number, words: readonly string[]) =>
    words.every((word, index) => isSimilarAt(base, at + index, word))
  const least = Math.max(0, old.length - slackWords)
  for (const from of outward(middle, reach, base.count)) {
    if (before.length === 0 ? from !== 0 : !areSimilarAt(from - before.length, before)) continue
    for (let length = least; length <= old.length + slackWords; length++) {
      const to = from + length
      if (to > base.count) break
      if (after.length === 0 ? to === base.count : areSimilarAt(to, after)) return { from, to, exact: false }
    }
  }
  return null
}

/** The words that begin while the corrected ones are spoken. */
function placeByTime(base: WordTable, times: TimeIndex, { startSeconds, old, words }: Patch): Found | null {
  const nearest = times.nearest(startSeconds)
  if (nearest === -1 || startSeconds > base.endOf(base.count - 1)) return null
  const isBefore = base.endOf(nearest) <= startSeconds && nearest < base.count
  const from = isBefore ? nearest + 1 : nearest
  if (old.length === 0) return { from, to: from, exact: false }
  const endSeconds = Math.max(words.at(-1)?.end ?? startSeconds, startSeconds)
  let to = Math.min(base.count, from + 1)
  while (to < base.count && to - from < old.length + slackWords && base.startOf(to) < endSeconds) to++
  return { from, to, exact: false }
}

function isSimilarAt(base: WordTable, at: number, word: string): boolean {
  if (at < 0 || at >= base.count) return false
  const found = base.wordText(at)
  return found === word || bareWord(found) === bareWord(word)
}

function hasWordsAt(base: WordTable, at: number, words: readonly string[]): boolean {
  if (at < 0 || at + words.length > base.count) return false
  return words.every((word, index) => base.wordText(at + index) === word)
}

/** Positions from the middle outward, nearest first. */
function* outward(middle: number, reach: number, count: number): Generator<number> {
  yield Math.min(middle, count)
  for (let step = 1; step <= reach; step++) {
    if (middle + step <= count) yield middle + step
    if (middle - step >= 0) yield middle - step
  }
}

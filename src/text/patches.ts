import type { CorrectionSet, Patch, PatchWord } from '../contract/account/corrections.ts'

/** Number of context words stored on each side of a place, to find it in a newer text. */
const neighbours = 3

/** A range of a text's words, end exclusive; empty for an insertion between two words. */
export type Place = { readonly from: number; readonly to: number }

export const byPlace = (a: Place, b: Place): number => a.from - b.from || a.to - b.to

/** True if two places touch or overlap. */
export const doTouch = (a: Place, b: Place): boolean => a.from <= b.to && b.from <= a.to

/** True if two places share words or are the same gap. Places that only touch do not overlap. */
export const doOverlap = (a: Place, b: Place): boolean =>
  (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === b.to)

/** Places that meet, in order, and the place that spans them. */
type PlaceGroup<One> = { from: number; to: number; members: One[] }

/** Groups places that meet, directly or by others between them; in order. */
export function groupPlaces<One extends Place>(
  places: readonly One[],
  doMeet: (a: Place, b: Place) => boolean,
): PlaceGroup<One>[] {
  const groups: PlaceGroup<One>[] = []
  for (const place of [...places].sort(byPlace)) {
    const last = groups.at(-1)
    if (last === undefined || !doMeet(last, place)) groups.push({ from: place.from, to: place.to, members: [place] })
    else {
      last.members.push(place)
      last.to = Math.max(last.to, place.to)
    }
  }
  return groups
}

/** Words by index, from columns or rows: the source of a patch. Starts in seconds. */
export type PatchSource = {
  readonly count: number
  wordText(index: number): string
  startOf(index: number): number
}

/** The patch that replaces the words `from` to `to` of a text. */
export function makePatch(source: PatchSource, from: number, to: number, words: readonly PatchWord[]): Patch {
  const texts = (first: number, end: number) => {
    const [start, stop] = [Math.max(0, first), Math.min(end, source.count)]
    return Array.from({ length: Math.max(0, stop - start) }, (_, index) => source.wordText(start + index))
  }
  return {
    from,
    to,
    startSeconds: source.count === 0 ? (words[0]?.start ?? 0) : source.startOf(Math.min(from, source.count - 1)),
    old: texts(from, to),
    before: texts(from - neighbours, from),
    after: texts(to, to + neighbours),
    words,
  }
}

/**
 * Walks a text with some places replaced, in order.
 * @param text the range of words to walk
 * @param places in that range, sorted and not overlapping
 * @param keep called with each range of words that stay; may be empty
 * @param put called with each place, to put in what replaces it
 */
export function replacePlaces<One extends Place>(
  text: Place,
  places: readonly One[],
  keep: (from: number, to: number) => void,
  put: (place: One) => void,
): void {
  let done = text.from
  for (const place of places) {
    keep(done, place.from)
    put(place)
    done = place.to
  }
  keep(done, text.to)
}

/**
 * Applies patches to the words of the text that they were made for.
 * @param patches sorted and not overlapping, their places are indexes of the words
 */
export function applyPatches<Word>(
  words: readonly Word[],
  patches: readonly Patch[],
  fromPatch: (word: PatchWord) => Word,
): Word[] {
  const corrected: Word[] = []
  // One by one: a day's words are too many to spread as the arguments of one call.
  const keep = (from: number, to: number) => {
    for (let index = from; index < to; index++) corrected.push(words[index] as Word)
  }
  replacePlaces({ from: 0, to: words.length }, patches, keep, ({ words: put }) => {
    for (const word of put) corrected.push(fromPatch(word))
  })
  return corrected
}

type Counted = { patches: { readonly length: number } } & Pick<CorrectionSet, 'baseNames' | 'names'>

/** Counts corrections; a renamed speaker counts once, however often they speak. */
export function countCorrections({ patches, baseNames, names }: Counted): number {
  return patches.length + baseNames.filter((name, index) => name !== names[index]).length
}

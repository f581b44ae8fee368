import type { Patch, PatchWord } from '../contract/account/corrections.ts'

/** Number of context words stored on each side of a place, to find it in a newer text. */
const neighbours = 3

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
 * Applies patches to the words of the text that they were made for.
 * @param patches sorted and not overlapping, their places are indexes of the words
 */
export function applyPatches<Word>(
  words: readonly Word[],
  patches: readonly Patch[],
  fromPatch: (word: PatchWord) => Word,
): Word[] {
  const corrected: Word[] = []
  let done = 0
  // One by one: a day's words are too many to spread as the arguments of one call.
  for (const patch of patches) {
    for (let index = done; index < patch.from; index++) corrected.push(words[index] as Word)
    for (const word of patch.words) corrected.push(fromPatch(word))
    done = patch.to
  }
  for (let index = done; index < words.length; index++) corrected.push(words[index] as Word)
  return corrected
}

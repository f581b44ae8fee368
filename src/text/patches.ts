import type { Patch, PatchWord } from '../contract/account/corrections.ts'

/** How many words before and after a place are kept with it, to find it in a newer text. */
const neighbours = 3

/** Words by their index, as columns or rows: what a patch is cut from. Starts in seconds. */
export type PatchSource = {
  readonly count: number
  wordText(index: number): string
  startOf(index: number): number
}

/** The patch that puts other words in the place of the words `from` to `to` of a text. */
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
 * The words of a text with patches of this very text.
 * @param patches sorted and apart, their places are indexes of the words
 */
export function applyPatches<Word>(
  words: readonly Word[],
  patches: readonly Patch[],
  fromPatch: (word: PatchWord) => Word,
): Word[] {
  const corrected: Word[] = []
  let done = 0
  // One by one: a day's words are too many to be the arguments of one call.
  for (const patch of patches) {
    for (let index = done; index < patch.from; index++) corrected.push(words[index] as Word)
    for (const word of patch.words) corrected.push(fromPatch(word))
    done = patch.to
  }
  for (let index = done; index < words.length; index++) corrected.push(words[index] as Word)
  return corrected
}

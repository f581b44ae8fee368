/** Normalizes words for comparison: lower case, no punctuation, hyphens split, `mister` as `mr`. */
export function comparableWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('-', ' ')
    .replaceAll('’', "'")
    .replaceAll(/\bmister\b/g, 'mr')
  return plain
    .replaceAll(/[^\p{L}\p{N}' ]/gu, ' ')
    .split(' ')
    .filter((word) => word !== '')
}

/** Counts insertions, deletions and replacements between two word lists (Levenshtein), for the word error rate. */
export function countWordErrors(reference: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [index, word] of reference.entries()) {
    const next = [index + 1]
    for (let at = 1; at <= heard.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (heard[at - 1] === word ? 0 : 1)
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

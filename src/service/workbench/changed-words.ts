import { findDifferences } from '../../text/differences.ts'

/** Counts changed words from one text to another, in order: insertions or deletions, whichever are more. */
export function changedWords(before: readonly string[], after: readonly string[]): number {
  const differences = findDifferences(before.length, after.length, (old, now) => before[old] === after[now])
  const gone = differences.reduce((sum, { from, to }) => sum + to - from, 0)
  return Math.max(gone, gone + after.length - before.length)
}

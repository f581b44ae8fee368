import type { WordTable } from '../model/word-table.ts'

/** A span of words as a Range within the text node of the block that begins with the word `blockFirst`. */
export function wordRange(table: WordTable, node: Text, blockFirst: number, from: number, to: number): Range {
  const begin = table.offsetOf(blockFirst)
  return offsetRange(node, table.offsetOf(from) - begin, table.textEndOf(to - 1) - begin)
}

/** A Range between two offsets, clamped to the node. */
export function offsetRange(node: Text, from: number, to: number): Range {
  const range = document.createRange()
  range.setStart(node, Math.max(0, Math.min(from, node.length)))
  range.setEnd(node, Math.max(0, Math.min(to, node.length)))
  return range
}

/** Runs of consecutive doubtful words between two words, `to` exclusive. */
export function doubtfulRuns(table: WordTable, from: number, to: number, below: number): [number, number][] {
  const runs: [number, number][] = []
  for (let word = from; word < to; word++) {
    if (!(table.confOf(word) < below)) continue
    const last = runs.at(-1)
    if (last !== undefined && last[1] === word) last[1] = word + 1
    else runs.push([word, word + 1])
  }
  return runs
}

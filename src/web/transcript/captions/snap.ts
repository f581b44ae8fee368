import type { CaptionRules } from '../../../contract/account/captions.ts'
import { toCaptionMs } from '../../../formats/captions/caption-rules.ts'
import type { Cue } from '../../../formats/captions/cues.ts'
import type { WordSpan } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'

/** The visible range of the recording, in milliseconds. */
export type Stretch = { fromMs: number; toMs: number }

/** Snap points of an edge: word starts and ends, and the quietest points between two louder peaks. */
export function places(table: WordTable, words: WordSpan, quiet: readonly number[], rules: CaptionRules): number[] {
  const edges: number[] = []
  for (let word = words.from; word < words.to; word++) {
    edges.push(toCaptionMs(table.startOf(word), rules), toCaptionMs(table.endOf(word), rules))
  }
  return [...new Set([...edges, ...quiet])].sort((a, b) => a - b)
}

/** The words of the captions `first` to `last`. */
export function wordsIn(table: WordTable, cues: readonly Cue[], first: number, last: number): WordSpan {
  return { from: cues[first]?.word ?? 0, to: cues[last + 1]?.word ?? table.count }
}

/** The middles of quiet places: below a quarter of the maximum loudness. */
export function quietPlaces(heights: Float32Array, { fromMs, toMs }: Stretch): number[] {
  const quiet: number[] = []
  const step = (toMs - fromMs) / Math.max(1, heights.length)
  let begin = -1
  for (let at = 0; at <= heights.length; at++) {
    const isQuiet = (heights[at] ?? 1) < 0.25
    if (isQuiet && begin < 0) begin = at
    if (isQuiet || begin < 0) continue
    quiet.push(Math.round(fromMs + ((begin + at) / 2) * step))
    begin = -1
  }
  return quiet
}

/** Snaps to the nearest point within reach, else returns the time itself. All in milliseconds. */
export function snapped(ms: number, to: readonly number[], reachMs: number): number {
  let best = ms
  let least = reachMs
  for (const place of to) {
    const off = Math.abs(place - ms)
    if (off > least) continue
    least = off
    best = place
  }
  return best
}

/** The next snap point after a time (1) or before it (-1); the time itself if there is none. */
export function nextPlace(ms: number, to: readonly number[], by: 1 | -1): number {
  return (by === 1 ? to.find((place) => place > ms) : to.findLast((place) => place < ms)) ?? ms
}

import { equalEnds } from '../../../text/differences.ts'
import type { Word } from '../model/word.ts'

/** A word of the new text: an old one, by index, or a typed one. */
type Step = { old: number } | { typed: string }

/** Confidence of typed words: a person is sure. */
const typedConf = 1

/**
 * Assigns times to the words of an edited text. Unchanged words keep their times, confidence and origin; typed words
 * share the time between them in proportion to their length. The last word ends a turn if the old last one did.
 * @param old the words before editing
 * @param texts the words after editing, none empty
 * @param gap the time available before the first and after the last unchanged word, in seconds
 */
export function retime(old: readonly Word[], texts: readonly string[], gap: { from: number; to: number }): Word[] {
  const plan = align(
    old.map(({ text }) => text),
    texts,
  )
  const result: Word[] = []
  for (let at = 0; at < plan.length; ) {
    const step = plan[at] as Step
    if ('old' in step) {
      result.push({ ...(old[step.old] as Word), endsTurn: false })
      at++
      continue
    }
    let end = at
    while (end < plan.length && 'typed' in (plan[end] as Step)) end++
    const typed = plan.slice(at, end).map((one) => ('typed' in one ? one.typed : ''))
    const before = oldIndexAt(plan, at - 1)
    const after = oldIndexAt(plan, end)
    const words = spread(typed, freeTime(old, before, after, gap), old[0]?.speaker ?? -1)
    // Caption settings move to the words that replace the old ones.
    const cue = old.slice((before ?? -1) + 1, after ?? old.length).find((word) => word.cue !== undefined)?.cue
    if (cue !== undefined) words[0] = { ...(words[0] as Word), cue }
    result.push(...words)
    at = end
  }
  const last = result.at(-1)
  if (last !== undefined) last.endsTurn = old.at(-1)?.endsTurn ?? false
  return result
}

function oldIndexAt(plan: readonly Step[], at: number): number | null {
  const step = plan[at]
  return step !== undefined && 'old' in step ? step.old : null
}

/** The time of the removed words; if none were removed, the pause between the neighbors. */
function freeTime(
  old: readonly Word[],
  before: number | null,
  after: number | null,
  gap: { from: number; to: number },
): { from: number; to: number } {
  const first = (before ?? -1) + 1
  const last = (after ?? old.length) - 1
  const left = before === null ? gap.from : (old[before]?.end ?? gap.from)
  const right = after === null ? gap.to : (old[after]?.start ?? gap.to)
  const from = first <= last ? Math.max(left, old[first]?.start ?? left) : left
  const to = first <= last ? Math.min(Math.max(right, from), old[last]?.end ?? right) : right
  return { from, to: Math.max(from, to) }
}

function spread(texts: readonly string[], { from, to }: { from: number; to: number }, speaker: number): Word[] {
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let done = 0
  return texts.map((text) => {
    const start = from + ((to - from) * done) / letters
    done += text.length
    const end = from + ((to - from) * done) / letters
    return { text, start, end, conf: typedConf, endsTurn: false, turnConf: null, speaker, origin: -1 }
  })
}

/**
 * Finds the unchanged words: the longest common subsequence (the usual dynamic programming), after trimming equal words
 * at both ends, so that typing in a long paragraph compares only a few.
 */
function align(old: readonly string[], texts: readonly string[]): Step[] {
  const { head, tail } = equalEnds(old.length, texts.length, (a, b) => old[a] === texts[b])
  const middle = alignMiddle(old.slice(head, old.length - tail), texts.slice(head, texts.length - tail))
  return [
    ...Array.from({ length: head }, (_, index) => ({ old: index })),
    ...middle.map((step) => ('old' in step ? { old: step.old + head } : step)),
    ...Array.from({ length: tail }, (_, index) => ({ old: old.length - tail + index })),
  ]
}

function alignMiddle(old: readonly string[], texts: readonly string[]): Step[] {
  const width = texts.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (a: number, b: number) => lengths[a * width + b] ?? 0
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = texts.length - 1; b >= 0; b--) {
      lengths[a * width + b] = old[a] === texts[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
    }
  }
  const plan: Step[] = []
  let a = 0
  let b = 0
  while (b < texts.length) {
    if (a < old.length && old[a] === texts[b]) {
      plan.push({ old: a })
      a++
      b++
    } else if (a < old.length && at(a + 1, b) >= at(a, b + 1)) a++
    else {
      plan.push({ typed: texts[b] ?? '' })
      b++
    }
  }
  return plan
}

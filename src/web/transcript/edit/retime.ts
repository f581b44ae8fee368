import type { Word } from '../model/word.ts'

/** A word that stays, by its index, or a typed one. */
type Kept = { old: number } | { typed: string }

/** What somebody typed is not in doubt. */
const typedConf = 1

/**
 * The words of a stretch after its text was typed over. Words that stay keep their times, conf and origin; new ones get
 * the time between the words that stay around them, shared out by their length. The last word ends a turn where the
 * last one did.
 * @param old words of the stretch as they were
 * @param texts the words as they are now, none empty
 * @param gap the time that may be used before the first and after the last word that stays, in seconds
 */
export function retimed(old: readonly Word[], texts: readonly string[], gap: { from: number; to: number }): Word[] {
  const plan = align(
    old.map(({ text }) => text),
    texts,
  )
  const result: Word[] = []
  for (let at = 0; at < plan.length; ) {
    const step = plan[at] as Kept
    if ('old' in step) {
      result.push({ ...(old[step.old] as Word), endsTurn: false })
      at++
      continue
    }
    let end = at
    while (end < plan.length && 'typed' in (plan[end] as Kept)) end++
    const typed = plan.slice(at, end).map((one) => ('typed' in one ? one.typed : ''))
    const before = keptAt(plan, at - 1)
    const after = keptAt(plan, end)
    result.push(...spread(typed, room(old, before, after, gap), speakerOf(old)))
    at = end
  }
  const last = result.at(-1)
  if (last !== undefined) last.endsTurn = old.at(-1)?.endsTurn ?? false
  return result
}

function keptAt(plan: readonly Kept[], at: number): number | null {
  const step = plan[at]
  return step !== undefined && 'old' in step ? step.old : null
}

function speakerOf(old: readonly Word[]): number {
  return old[0]?.speaker ?? -1
}

/** Where words went, the new ones take exactly their time; where none went, the pause between the neighbours. */
function room(
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
 * Which words stay: the longest common run of words (the textbook table of lengths), after equal words at both ends
 * are set aside, so that typing in a long paragraph compares a handful.
 */
function align(old: readonly string[], texts: readonly string[]): Kept[] {
  let head = 0
  while (head < old.length && head < texts.length && old[head] === texts[head]) head++
  let tail = 0
  const most = Math.min(old.length, texts.length) - head
  while (tail < most && old[old.length - 1 - tail] === texts[texts.length - 1 - tail]) tail++
  const middle = alignMiddle(old.slice(head, old.length - tail), texts.slice(head, texts.length - tail))
  return [
    ...Array.from({ length: head }, (_, index) => ({ old: index })),
    ...middle.map((step) => ('old' in step ? { old: step.old + head } : step)),
    ...Array.from({ length: tail }, (_, index) => ({ old: old.length - tail + index })),
  ]
}

function alignMiddle(old: readonly string[], texts: readonly string[]): Kept[] {
  const width = texts.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (a: number, b: number) => lengths[a * width + b] ?? 0
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = texts.length - 1; b >= 0; b--) {
      lengths[a * width + b] = old[a] === texts[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
    }
  }
  const plan: Kept[] = []
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

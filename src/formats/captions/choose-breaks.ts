import type { CaptionRules } from '../../contract/account/captions.ts'
import { ruleBreak, type Setting, setInLines, WordWidths } from './caption-lines.ts'
import { fewCharacters, frameMs } from './caption-rules.ts'
import type { CueWord } from './cue-words.ts'

/** Consecutive words of one turn without a long pause, and what follows them. */
export type Stretch = {
  words: readonly CueWord[]
  /** start of the next words */
  nextMs: number
  /** characters of the mark before the first line */
  indent: number
  /** more words follow: their last caption may end anywhere */
  goesOn: boolean
}

/** One caption of a stretch: its words from `from` to before `to`, and the words after which its lines end. */
export type Break = { from: number; to: number; lineEnds: readonly number[] }

/** Cost per additional caption, so that none is added without need; a style cost, like all below it. */
const captionCost = 1
const emptyCost = 0.5
/** A manually set caption is split only if it cannot satisfy the rules as a whole. */
const cutCost = 1_000_000

/** How bad a caption end after this word is: 0 for a sentence end, 1 for the middle of a clause. */
function endCost(word: CueWord, next: CueWord): number {
  if (/[.!?…。！？]["'”’)]*$/.test(word.text)) return 0
  const pause = Math.max(0, Math.min(1, (next.startMs - word.endMs) / 700))
  return (/[,;:–—、，；：]["'”’)]*$/.test(word.text) ? 0.4 : 1) * (1 - pause)
}

/** Display time of a caption in milliseconds: the time needed to read it, as far as what follows permits. */
export function shownMs(spokenMs: number, characters: number, untilMs: number, rules: CaptionRules): number {
  const readMs = Math.ceil((characters * 1_000) / rules.charactersPerSecond)
  const wanted = Math.max(spokenMs, readMs, rules.minSeconds * 1_000)
  return Math.min(wanted, untilMs - rules.gapFrames * frameMs, rules.maxSeconds * 1_000)
}

/** Precomputed data of each word. */
type Known = { widths: WordWidths; endCosts: readonly number[]; wholeEnds: readonly number[] }

function measureWords({ words }: Stretch): Known {
  const endCosts = words.map((word, index) => {
    const next = words[index + 1]
    return next === undefined ? 0 : endCost(word, next)
  })
  return { widths: new WordWidths(words.map(({ text }) => text)), endCosts, wholeEnds: findWholeEnds(words) }
}

/** For the caption starting at each word, the index before which it must not end; 0: anywhere. */
function findWholeEnds(words: readonly CueWord[]): number[] {
  let next = words.length
  const ends = new Array<number>(words.length).fill(0)
  for (let at = words.length - 1; at >= 0; at--) {
    const cue = words[at]?.cue
    if (cue?.whole === true) ends[at] = next
    if (cue !== undefined) next = at
  }
  return ends
}

type Caption = { from: number; to: number }

const tooDear: Setting = { ends: [], cost: Number.POSITIVE_INFINITY }

/**
 * The cost of a caption: rules broken that other breaks might satisfy, plus style. Null if it, and thus every longer
 * one, is impossible; infinite if it costs at least `limit` with any line layout.
 */
function weighCaption(
  stretch: Stretch,
  known: Known,
  { from, to }: Caption,
  rules: CaptionRules,
  limit = Number.POSITIVE_INFINITY,
): Setting | null {
  const { words, nextMs, goesOn } = stretch
  const { widths, endCosts, wholeEnds } = known
  const [first, last] = [words[from], words[to - 1]]
  if (first === undefined || last === undefined) return null
  const wholeEnd = wholeEnds[from] ?? 0
  if (first.cue?.fixed === true && wholeEnd > 0) return fixedCaption(words, { from, to }, wholeEnd)
  const isAlone = to === from + 1
  if (!isAlone && (last.cue !== undefined || last.endMs - first.startMs > rules.maxSeconds * 1_000)) return null
  const indent = from === 0 ? stretch.indent : 0
  const characters = widths.of(from, to) + indent
  if (!isAlone && characters > (rules.lineLength + 1) * rules.maxLines) return null
  const next = words[to]
  const untilMs = (next?.startMs ?? nextMs) - first.startMs
  const shown = shownMs(last.endMs - first.startMs, characters, untilMs, rules)
  const isWhole = from === 0 && next === undefined && !goesOn
  let broken = 0
  if (next !== undefined && widths.isWeak[to - 1] === true) broken++
  if (!isWhole && (characters < fewCharacters || shown < rules.minSeconds * 1_000)) broken++
  if (characters * 1_000 > shown * rules.charactersPerSecond) broken++
  const empty = 1 - characters / (rules.lineLength * rules.maxLines)
  const taste = captionCost + (endCosts[to - 1] ?? 0) + emptyCost * empty * empty
  const cut = to < wholeEnd ? cutCost : 0
  const cost = broken * ruleBreak + taste + cut
  // Line layout is by far the slowest step.
  if (cost >= limit) return tooDear
  const setting = ownLines(words, widths, { from, to }, rules, indent) ?? setInLines(widths, from, to, rules, indent)
  if (setting === null) return isAlone ? { ends: [to], cost: ruleBreak } : null
  return { ends: setting.ends, cost: setting.cost + cost }
}

/** A caption that ends where the next set one begins, and nowhere else, in its own lines. */
function fixedCaption(words: readonly CueWord[], { from, to }: Caption, wholeEnd: number): Setting | null {
  if (to !== wholeEnd) return to > wholeEnd ? null : tooDear
  const { word = 0, cue } = words[from] ?? {}
  const ends = (cue?.breaks ?? []).map((count) => words.findIndex((one, at) => at > from && one.word >= word + count))
  const isRising = (end: number, line: number) => end > (ends[line - 1] ?? from) && end < to
  return { ends: ends.every(isRising) ? [...ends, to] : [to], cost: 0 }
}

/** A caption's own line breaks; null if it has none, or a line would be too long or empty, or there are too many. */
function ownLines(
  words: readonly CueWord[],
  widths: WordWidths,
  { from, to }: Caption,
  { lineLength, maxLines }: CaptionRules,
  indent: number,
): Setting | null {
  const first = words[from]
  const breaks = first?.cue?.breaks
  if (first === undefined || breaks === undefined || breaks.length >= maxLines) return null
  const ends = breaks.map((count) => words.findIndex(({ word }, at) => at > from && word >= first.word + count))
  ends.push(to)
  let start = from
  for (const [line, end] of ends.entries()) {
    if (end <= start || widths.of(start, end) + (line === 0 ? indent : 0) > lineLength) return null
    start = end
  }
  return { ends, cost: 0 }
}

/**
 * The captions of a stretch with the fewest rule violations and, among those, the best readability: optimized over the
 * whole stretch by dynamic programming, not greedily. Time is linear in its words.
 */
export function chooseBreaks(stretch: Stretch, rules: CaptionRules): Break[] {
  const count = stretch.words.length
  const known = measureWords(stretch)
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const chosen = new Array<Break | null>(count + 1).fill(null)
  best[0] = 0
  for (let from = 0; from < count; from++) {
    for (let to = from + 1; to <= count; to++) {
      const before = best[from] ?? 0
      const caption = weighCaption(stretch, known, { from, to }, rules, (best[to] ?? 0) - before)
      if (caption === null) break
      const cost = before + caption.cost
      if (cost >= (best[to] ?? 0)) continue
      best[to] = cost
      chosen[to] = { from, to, lineEnds: caption.ends }
    }
  }
  const breaks: Break[] = []
  for (let at = chosen[count] ?? null; at !== null; at = chosen[at.from] ?? null) breaks.push(at)
  return breaks.reverse()
}

/** The cost of given captions of a stretch, for comparison; infinite if one of them is impossible. */
export function weighCaptions(stretch: Stretch, ends: readonly number[], rules: CaptionRules): number {
  const known = measureWords(stretch)
  return ends.reduce((sum, to, index) => {
    return (
      sum + (weighCaption(stretch, known, { from: ends[index - 1] ?? 0, to }, rules)?.cost ?? Number.POSITIVE_INFINITY)
    )
  }, 0)
}

import { ruleBreak, type Setting, setInLines, WordWidths } from './caption-lines.ts'
import { type CaptionRules, fewCharacters, frameMs } from './caption-rules.ts'
import type { CueWord } from './cue-words.ts'

/** Words that follow each other without a long pause, of one turn, and what comes behind them. */
export type Stretch = {
  words: readonly CueWord[]
  /** when the next words are spoken */
  nextMs: number
  /** characters of the mark before the first line */
  indent: number
  /** more words follow: their last caption may end anywhere */
  goesOn: boolean
}

/** One caption of a stretch: its words from `from` to before `to`, and after which of them its lines end. */
export type Break = { from: number; to: number; lineEnds: readonly number[] }

/** Each caption more costs so much, so that none is added without need; a matter of taste, like all below it. */
const captionCost = 1
const emptyCost = 0.5
/** A caption that somebody made is cut only where it fits no rules as a whole. */
const cutCost = 1_000_000

/** How far a place in the text is from being a good end: 0 for a sentence, 1 for the middle of a clause. */
function endCost(word: CueWord, next: CueWord): number {
  if (/[.!?…。！？]["'”’)]*$/.test(word.text)) return 0
  const pause = Math.max(0, Math.min(1, (next.startMs - word.endMs) / 700))
  return (/[,;:–—、，；：]["'”’)]*$/.test(word.text) ? 0.4 : 1) * (1 - pause)
}

/** How long a caption of these words is shown: until they can be read, where what follows leaves time. Milliseconds. */
export function shownMs(spokenMs: number, characters: number, untilMs: number, rules: CaptionRules): number {
  const readMs = Math.ceil((characters * 1_000) / rules.charactersPerSecond)
  const wanted = Math.max(spokenMs, readMs, rules.minSeconds * 1_000)
  return Math.min(wanted, untilMs - rules.gapFrames * frameMs, rules.maxSeconds * 1_000)
}

/** What is known of each word before any breaks are weighed. */
type Known = { widths: WordWidths; endCosts: readonly number[]; wholeEnds: readonly number[] }

function knownOf({ words }: Stretch): Known {
  const endCosts = words.map((word, index) => {
    const next = words[index + 1]
    return next === undefined ? 0 : endCost(word, next)
  })
  return { widths: new WordWidths(words.map(({ text }) => text)), endCosts, wholeEnds: wholeEndsOf(words) }
}

/** Where the caption that begins with each word must not end before; 0: anywhere. */
function wholeEndsOf(words: readonly CueWord[]): number[] {
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
 * How many rules a caption breaks that other breaks might keep, and what it costs beside. Null if it, and so all longer
 * ones, cannot be; infinite where it costs at least `limit` however its lines are set.
 */
function captionOf(
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
  const cut = to < (wholeEnds[from] ?? 0) ? cutCost : 0
  const cost = broken * ruleBreak + taste + cut
  // Setting the lines takes the most time by far.
  if (cost >= limit) return tooDear
  const setting = setInLines(widths, from, to, rules, indent)
  if (setting === null) return isAlone ? { ends: [to], cost: ruleBreak } : null
  return { ends: setting.ends, cost: setting.cost + cost }
}

/**
 * The captions of a stretch whose sum of rule breaks is the least there can be, and of those the best to read: chosen over
 * the whole stretch by dynamic programming, not one after the other. Time grows with its words.
 */
export function chooseBreaks(stretch: Stretch, rules: CaptionRules): Break[] {
  const count = stretch.words.length
  const known = knownOf(stretch)
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const chosen = new Array<Break | null>(count + 1).fill(null)
  best[0] = 0
  for (let from = 0; from < count; from++) {
    for (let to = from + 1; to <= count; to++) {
      const before = best[from] ?? 0
      const caption = captionOf(stretch, known, { from, to }, rules, (best[to] ?? 0) - before)
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

/** What given captions of a stretch cost, for comparing; infinite where one of them cannot be. */
export function costOf(stretch: Stretch, ends: readonly number[], rules: CaptionRules): number {
  const known = knownOf(stretch)
  return ends.reduce((sum, to, index) => {
    return (
      sum + (captionOf(stretch, known, { from: ends[index - 1] ?? 0, to }, rules)?.cost ?? Number.POSITIVE_INFINITY)
    )
  }, 0)
}

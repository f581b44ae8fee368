import type { CaptionRules } from '../../contract/account/captions.ts'

/** English words that belong with the next word: articles, prepositions, pronouns and conjunctions. */
const weak = new Set(
  `a an the
  about above across after against along among around as at before behind below beneath beside between beyond by despite
  down during except for from in inside into like near of off on onto out outside over past per since than through
  throughout till to toward towards under until unto up upon via with within without
  i you he she it we they me him her us them my your his its our their this that these those who whom whose which what
  and but or nor so yet because although though if unless whereas while when where whether that`.split(/\s+/),
)

/** True if a caption or a line should preferably not end with this word. Trailing punctuation makes it a good end. */
export function isWeakEnd(text: string): boolean {
  return weak.has(text.toLowerCase())
}

/** Cost of breaking a rule; far above the sum of all style costs in a stretch. */
export const ruleBreak = 1_000

/** Prefix sums of word widths, so that many ways to break a stretch can be evaluated quickly. */
export class WordWidths {
  readonly isWeak: readonly boolean[]
  /** the characters before each word, counting a space after each */
  readonly #before: readonly number[]

  constructor(texts: readonly string[]) {
    this.isWeak = texts.map(isWeakEnd)
    const before = [0]
    for (const text of texts) before.push((before.at(-1) ?? 0) + text.length + 1)
    this.#before = before
  }

  /** Characters of the words `from` to before `to` on one line. */
  of(from: number, to: number): number {
    return (this.#before[to] ?? 0) - (this.#before[from] ?? 0) - 1
  }
}

/** A line layout: the index at which each line ends, and its cost; see {@link ruleBreak}. */
export type Setting = { ends: readonly number[]; cost: number }

/** A second line costs little: one line is easier to read if it suffices. */
const lineCost = 0.1
/** Maximum cost of uneven lines. */
const unevenCost = 1

/**
 * The best layout of words in at most `maxLines` lines: no line ends with a weak word if avoidable, and lengths are
 * even. Null if they do not fit.
 * @param indent characters that the first line loses
 */
export function setInLines(
  widths: WordWidths,
  from: number,
  to: number,
  { lineLength, maxLines }: Pick<CaptionRules, 'lineLength' | 'maxLines'>,
  indent: number,
): Setting | null {
  const whole = widths.of(from, to) + indent
  if (whole <= lineLength) return { ends: [to], cost: 0 }
  if (maxLines < 2 || whole > (lineLength + 1) * maxLines) return null
  const room = { lineLength, maxLines: maxLines - 1 }
  let best: Setting | null = null
  for (let end = to - 1; end > from; end--) {
    // From here on, the rest is too long for one line.
    if (maxLines === 2 && widths.of(end, to) > lineLength) break
    const first = widths.of(from, end) + indent
    if (first > lineLength) continue
    const rest = setInLines(widths, end, to, room, 0)
    if (rest === null) continue
    const uneven = Math.abs(first - widths.of(end, rest.ends[0] ?? to)) / lineLength
    const cost = rest.cost + lineCost + unevenCost * uneven * uneven + (widths.isWeak[end - 1] === true ? ruleBreak : 0)
    if (best === null || cost < best.cost) best = { ends: [end, ...rest.ends], cost }
  }
  return best
}

type Timed = { text: string; start: number; end: number }
type Stretch = { from: number; to: number }

/** How far a pause may be from where the letters alone put it, in words. */
const mostMoved = 10
/** How much faster or slower than the whole a part is usually spoken: of its time, and in any case. */
const usualOff = { share: 0.15, seconds: 0.15 }
/** What a pause within a clause costs, against a part spoken as much faster or slower as is usual. */
const withinClause = 3

const endsClause = (text: string | undefined) => /[.,;:?!…]["”’)]*$/.test(text ?? '')
/** Letters that a digit is spoken as: `1995`, "nineteen ninety-five". */
const lettersOfDigit = 4
/** What is spelled out, as `API` and `http`, and letters that each of its letters is spoken as. */
const spelled = /^(?:\p{Lu}{2,4}|[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{2,5})$/u
const lettersOfSpelled = 3

/** How long a word takes to be spoken, in letters of other words: punctuation is silent. */
function spokenLength(text: string): number {
  const letters = text.replace(/\P{L}/gu, '')
  const digits = text.replace(/\P{N}/gu, '')
  const spoken = letters.length * (spelled.test(letters) ? lettersOfSpelled : 1) + digits.length * lettersOfDigit
  return Math.max(1, spoken)
}

/**
 * Divides voiced parts of a stretch among words as `shareTime` does: the pauses between them stay silent, and people
 * pause behind commas and full stops rather than within a clause.
 * @param voiced in order, at least one; not overlapping; in seconds
 */
export function shareVoicedTime(texts: readonly string[], voiced: readonly Stretch[]): Timed[] {
  const ends = findPauses(texts, voiced)
  return voiced.flatMap(({ from, to }, part) => shareTime(texts.slice(ends[part - 1] ?? 0, ends[part]), from, to))
}

/** A way to divide the words before `end` among the parts so far. */
type Division = { end: number; cost: number; before: Division | null }

/** How many words are spoken before the end of each part: of all ways to divide them, the likeliest. */
function findPauses(texts: readonly string[], voiced: readonly Stretch[]): number[] {
  const letters = [0]
  for (const text of texts) letters.push((letters.at(-1) ?? 0) + spokenLength(text))
  const total = voiced.reduce((sum, { from, to }) => sum + to - from, 0)
  const secondsTo = (word: number) => ((letters[word] ?? 0) / (letters[texts.length] ?? 1)) * total
  let divisions: Division[] = [{ end: 0, cost: 0, before: null }]
  let [spoken, even] = [0, 0]
  for (const [part, { from, to }] of voiced.entries()) {
    spoken += to - from
    while (even < texts.length && secondsTo(even) + secondsTo(even + 1) <= 2 * spoken) even += 1
    const isLast = part === voiced.length - 1
    const last = isLast ? texts.length : Math.min(texts.length, even + mostMoved)
    const next: Division[] = []
    for (let end = isLast ? last : Math.max(0, even - mostMoved); end <= last; end += 1) {
      const boundary = isLast || end === 0 || endsClause(texts[end - 1]) ? 0 : withinClause
      let best: Division | null = null
      for (const before of divisions) {
        if (before.end > end) continue
        const off = secondsTo(end) - secondsTo(before.end) - (to - from)
        const cost = before.cost + boundary + (off / (usualOff.share * (to - from) + usualOff.seconds)) ** 2
        if (best === null || cost < best.cost) best = { end, cost, before }
      }
      if (best !== null) next.push(best)
    }
    divisions = next
  }
  const ends: number[] = []
  for (let division: Division | null = divisions[0] ?? null; division?.before; division = division.before)
    ends.unshift(division.end)
  return ends
}

/** Divides a stretch of time among words, in order, by how long they are spoken; in the unit of `from` and `to`. */
export function shareTime(texts: readonly string[], from: number, to: number): Timed[] {
  const lengths = texts.map(spokenLength)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let done = 0
  return texts.map((text, index) => {
    const start = from + ((to - from) * done) / total
    done += lengths[index] ?? 0
    return { text, start, end: from + ((to - from) * done) / total }
  })
}

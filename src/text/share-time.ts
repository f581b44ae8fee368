type Timed = { text: string; start: number; end: number }
type Stretch = { from: number; to: number }

/** How many words a pause may move to fall behind a comma or full stop. */
const mostMoved = 3
/** How much faster than the whole a part may be spoken for that. */
const fastest = 1.5

const endsClause = (text: string | undefined) => /[.,;:?!…]["”’)]*$/.test(text ?? '')
const countLetters = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0)

/**
 * Divides voiced parts of a stretch among words as `shareTime` does: the pauses between them stay silent, and people
 * pause behind commas and full stops rather than within a clause.
 * @param voiced in order, at least one; not overlapping
 */
export function shareVoicedTime(texts: readonly string[], voiced: readonly Stretch[]): Timed[] {
  const total = voiced.reduce((sum, { from, to }) => sum + to - from, 0)
  const lettersIn = (time: number) => (countLetters(texts) * time) / total
  const timed: Timed[] = []
  let done = 0
  let voicedTime = 0
  for (const [index, { from, to }] of voiced.entries()) {
    voicedTime += to - from
    const isLast = index === voiced.length - 1
    const even = isLast ? texts.length : Math.max(done, wordsWithin(texts, lettersIn(voicedTime)))
    const fits = (end: number) => {
      const [here, rest] = [countLetters(texts.slice(done, end)), countLetters(texts.slice(end))]
      return here <= fastest * lettersIn(to - from) && rest <= fastest * lettersIn(total - voicedTime)
    }
    const end = isLast ? even : nearestClauseEnd(texts, even, (place) => place > done && fits(place))
    timed.push(...shareTime(texts.slice(done, end), from, to))
    done = end
  }
  return timed
}

/** How many words have their middle within the first so many letters. */
function wordsWithin(texts: readonly string[], letters: number): number {
  let [count, before] = [0, 0]
  for (const { length } of texts) {
    if (before + length / 2 > letters) break
    before += length
    count += 1
  }
  return count
}

function nearestClauseEnd(texts: readonly string[], place: number, fits: (place: number) => boolean): number {
  for (let moved = 0; moved <= mostMoved; moved += 1) {
    const near = [place + moved, place - moved].find((end) => endsClause(texts[end - 1]) && fits(end))
    if (near !== undefined) return near
  }
  return place
}

/** Divides a stretch of time among words, in order, by their length in letters; in the unit of `from` and `to`. */
export function shareTime(texts: readonly string[], from: number, to: number): Timed[] {
  const letters = countLetters(texts)
  let done = 0
  return texts.map((text) => {
    const start = from + ((to - from) * done) / letters
    done += text.length
    return { text, start, end: from + ((to - from) * done) / letters }
  })
}

type Timed = { text: string; start: number; end: number }

/**
 * The same over the voiced parts of a stretch: pauses between them stay silent. A word that would lie across a pause
 * goes to the side that more of it is on.
 * @param voiced in order, at least one; not overlapping
 */
export function shareVoicedTime(texts: readonly string[], voiced: readonly { from: number; to: number }[]): Timed[] {
  const total = voiced.reduce((sum, { from, to }) => sum + to - from, 0)
  let part = 0
  /** voiced time before that part */
  let before = 0
  return shareTime(texts, 0, total).map(({ text, start, end }) => {
    const length = () => (voiced[part]?.to ?? 0) - (voiced[part]?.from ?? 0)
    while (part < voiced.length - 1 && (start + end) / 2 > before + length()) {
      before += length()
      part += 1
    }
    const { from, to } = voiced[part] ?? { from: 0, to: 0 }
    const at = (time: number) => Math.min(to, from + Math.max(0, time - before))
    return { text, start: at(start), end: at(end) }
  })
}

/** Divides a stretch of time among words, in order, by their length in letters; in the unit of `from` and `to`. */
export function shareTime(texts: readonly string[], from: number, to: number): Timed[] {
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let done = 0
  return texts.map((text) => {
    const start = from + ((to - from) * done) / letters
    done += text.length
    return { text, start, end: from + ((to - from) * done) / letters }
  })
}

/** Divides a stretch of time among words, in order, by their length in letters; in the unit of `from` and `to`. */
export function shareTime(
  texts: readonly string[],
  from: number,
  to: number,
): { text: string; start: number; end: number }[] {
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let done = 0
  return texts.map((text) => {
    const start = from + ((to - from) * done) / letters
    done += text.length
    return { text, start, end: from + ((to - from) * done) / letters }
  })
}

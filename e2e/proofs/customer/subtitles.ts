/**
 * A caption of an SRT file: when it begins, as the captions view may write it, which rounds what the file has rounded to
 * milliseconds, and its text without line breaks.
 */
export type Cue = { begins: readonly string[]; text: string }

export const cuesOf = (content: Uint8Array): Cue[] =>
  Buffer.from(content)
    .toString()
    .trim()
    .split(/\n\n+/)
    .map((cue) => {
      const [, times = '', ...lines] = cue.split('\n')
      return { begins: shortTimes(times), text: lines.join(' ') }
    })

/** `00:01:07,505 --> …` as `1:07.50` and `1:07.51` */
function shortTimes(times: string): string[] {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = times.split(' ')[0]?.split(/[:,]/).map(Number) ?? []
  return [Math.floor, Math.ceil].map((round) => {
    const hundredths = seconds * 100 + round(ms / 10)
    return `${hours * 60 + minutes}:${(hundredths / 100).toFixed(2).padStart(5, '0')}`
  })
}

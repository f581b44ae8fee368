/** A caption of an SRT file: when it begins, as the captions view writes times, and its text without line breaks. */
export type Cue = { begins: string; text: string }

export const cuesOf = (content: Uint8Array): Cue[] =>
  Buffer.from(content)
    .toString()
    .trim()
    .split(/\n\n+/)
    .map((cue) => {
      const [, times = '', ...lines] = cue.split('\n')
      return { begins: shortTime(times), text: lines.join(' ') }
    })

/** `00:01:07,500 --> …` as `1:07.50` */
function shortTime(times: string): string {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = times.split(' ')[0]?.split(/[:,]/).map(Number) ?? []
  const hundredths = Math.round(seconds * 100 + ms / 10)
  return `${hours * 60 + minutes}:${(hundredths / 100).toFixed(2).padStart(5, '0')}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** `mm:ss` of spec 2.5, truncated to the second; minutes go past 59: 3725.9 gives `62:05`. */
export function minutesSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return `${two(Math.floor(whole / 60))}:${two(whole % 60)}`
}

/** `hh:mm:ss` as a clock shows it, truncated to the second; after 24 hours it begins at 00:00:00 again. */
export function timeOfDay(seconds: number): string {
  const whole = Math.floor(seconds) % 86_400
  return `${two(Math.floor(whole / 3_600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** `hh:mm:ss` with milliseconds after `mark`, the caption format: 3725.5 gives `01:02:05.500`. */
export function captionTime(milliseconds: number, mark: ',' | '.', hourDigits: 1 | 2): string {
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(hourDigits, '0')
  const minutes = two(Math.floor(milliseconds / 60_000) % 60)
  const seconds = two(Math.floor(milliseconds / 1_000) % 60)
  return `${hours}:${minutes}:${seconds}${mark}${String(milliseconds % 1_000).padStart(3, '0')}`
}

/** A human-readable duration: 3,725,000 gives `1 h 2 min 5 s`. */
export function lengthInWords(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000)
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const said = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value} ${unit}`)
  return said.length === 0 ? '0 s' : said.join(' ')
}

/** The day of an ISO 8601 time, in UTC: `21 November 2026`; empty if it is not a date. */
export function formatDay(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

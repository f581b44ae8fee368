const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const longDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })

/** Local midnight of the day a moment lies in, in milliseconds; the same number means the same day. */
export function dayStart(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}

/** `18 Nov`, with the year where it is not this one. Moments in milliseconds; an unknown one (NaN) gives a dash. */
export function dayText(moment: number, now: number = Date.now()): string {
  if (!Number.isFinite(moment)) return '–'
  return new Date(moment).getFullYear() === new Date(now).getFullYear() ? day.format(moment) : dayYear.format(moment)
}

/** `Mon 23 Nov`. */
export function weekdayText(moment: number): string {
  return Number.isFinite(moment) ? weekday.format(moment).replace(',', '') : '–'
}

/** `10:31`. */
export function timeText(moment: number): string {
  return Number.isFinite(moment) ? time.format(moment) : '–'
}

/** `today, 10:31`, `yesterday, 09:12` or `18 Nov, 09:12`. */
export function momentText(moment: number, now: number = Date.now()): string {
  if (!Number.isFinite(moment)) return 'at an unknown time'
  return `${nearDay(moment, now) ?? dayText(moment, now)}, ${timeText(moment)}`
}

/** `Today`, `Yesterday`, else `Wednesday 18 November`: the heading over a day's rows. */
export function dayHeading(moment: number, now: number = Date.now()): string {
  if (!Number.isFinite(moment)) return 'Unknown day'
  const near = nearDay(moment, now)
  if (near) return near[0]?.toUpperCase() + near.slice(1)
  const year = new Date(moment).getFullYear()
  const text = longDay.format(moment).replace(',', '')
  return year === new Date(now).getFullYear() ? text : `${text} ${year}`
}

function nearDay(moment: number, now: number): string | null {
  const daysAgo = Math.round((dayStart(now) - dayStart(moment)) / 86_400_000)
  if (daysAgo === 0) return 'today'
  return daysAgo === 1 ? 'yesterday' : null
}

const seconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** `10:31:07`. */
export function secondText(moment: number): string {
  return Number.isFinite(moment) ? seconds.format(moment) : '–'
}

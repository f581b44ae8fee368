/** How dates are written: a BCP 47 language, and whether the clock has 12 hours. */
export type DateStyle = { language: string; hour12: boolean }

/** A format that is made when it is first used: making one takes the browser milliseconds, and no page uses all. */
function lazyFormat(language: string, options: Intl.DateTimeFormatOptions): Pick<Intl.DateTimeFormat, 'format'> {
  let made: Intl.DateTimeFormat | null = null
  return {
    format: (moment) => {
      made ??= new Intl.DateTimeFormat(language, options)
      return made.format(moment)
    },
  }
}

function formatsFor({ language, hour12 }: DateStyle) {
  const of = (options: Intl.DateTimeFormatOptions) => lazyFormat(language, options)
  const clock = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12 } as const
  return {
    day: of({ day: 'numeric', month: 'short' }),
    dayYear: of({ day: 'numeric', month: 'short', year: 'numeric' }),
    weekday: of({ weekday: 'short', day: 'numeric', month: 'short' }),
    month: of({ month: 'short', timeZone: 'UTC' }),
    monthYear: of({ month: 'long', year: 'numeric', timeZone: 'UTC' }),
    longDay: of({ weekday: 'long', day: 'numeric', month: 'long' }),
    time: of(clock),
    seconds: of({ ...clock, second: '2-digit' }),
  }
}

let formats = formatsFor({ language: 'en-GB', hour12: false })

/** Writes all dates in this way from now on; what stands on the page is for the caller to render again. */
export function setDateStyle(style: DateStyle): void {
  formats = formatsFor(style)
}

/** Local midnight of the day a moment lies in, in milliseconds; the same number means the same day. */
export function dayStart(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}

/** `18 Nov`, with the year where it is not this one. Moments in milliseconds; an unknown one (NaN) gives a dash. */
export function dayText(moment: number, now: number = Date.now()): string {
  if (!Number.isFinite(moment)) return '–'
  return new Date(moment).getFullYear() === new Date(now).getFullYear()
    ? formats.day.format(moment)
    : formats.dayYear.format(moment)
}

/** `Mon 23 Nov`. */
export function weekdayText(moment: number): string {
  return Number.isFinite(moment) ? formats.weekday.format(moment).replace(',', '') : '–'
}

/** `10:31`. */
export function timeText(moment: number): string {
  return Number.isFinite(moment) ? formats.time.format(moment) : '–'
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
  const text = formats.longDay.format(moment).replace(',', '')
  return year === new Date(now).getFullYear() ? text : `${text} ${year}`
}

function nearDay(moment: number, now: number): string | null {
  const daysAgo = Math.round((dayStart(now) - dayStart(moment)) / 86_400_000)
  if (daysAgo === 0) return 'today'
  return daysAgo === 1 ? 'yesterday' : null
}

/** `10:31:07`. */
export function secondText(moment: number): string {
  return Number.isFinite(moment) ? formats.seconds.format(moment) : '–'
}

/** `2026-11` gives `Nov`. */
export function shortMonth(month: string): string {
  return formats.month.format(Date.parse(`${month}-01`))
}

/** `2026-11` gives `November 2026`. */
export function longMonth(month: string): string {
  return formats.monthYear.format(Date.parse(`${month}-01`))
}

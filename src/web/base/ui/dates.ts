/** Date style: a BCP 47 language, and whether the clock has 12 hours. */
type DateStyle = { language: string; hour12: boolean }

const unknown = '–'

/** Creates a format lazily: constructing one takes milliseconds, and no page uses all. */
function lazyFormat(language: string, options: Intl.DateTimeFormatOptions): (moment: number) => string {
  let format: Intl.DateTimeFormat | null = null
  return (moment) => {
    if (!Number.isFinite(moment)) return unknown
    format ??= new Intl.DateTimeFormat(language, options)
    // Only British English has a four-letter month.
    return format.format(moment).replace(/\bSept\b(?!\.)/, 'Sep')
  }
}

/**
 * Formats dates and times in one style. Times are milliseconds since 1970, shown in local time; NaN (unknown) gives a
 * dash. Months are written as in `2026-11`.
 */
export class Dates {
  /** `10:31` */
  readonly time: (moment: number) => string
  /** `10:31:07` */
  readonly second: (moment: number) => string
  readonly #day: (moment: number) => string
  /** `18 Nov 2026`, for printed or saved documents */
  readonly dayOfYear: (moment: number) => string
  readonly #longDay: (moment: number) => string
  readonly #shortMonth: (moment: number) => string
  readonly #longMonth: (moment: number) => string

  constructor({ language, hour12 }: DateStyle) {
    const format = (options: Intl.DateTimeFormatOptions) => lazyFormat(language, options)
    const clock = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12 } as const
    this.time = format(clock)
    this.second = format({ ...clock, second: '2-digit' })
    this.#day = format({ day: 'numeric', month: 'short' })
    this.dayOfYear = format({ day: 'numeric', month: 'short', year: 'numeric' })
    this.#longDay = format({ weekday: 'long', day: 'numeric', month: 'long' })
    this.#shortMonth = format({ month: 'short', timeZone: 'UTC' })
    this.#longMonth = format({ month: 'long', year: 'numeric', timeZone: 'UTC' })
  }

  /** `18 Nov`, with the year unless it is the current one. */
  day(moment: number, now: number = Date.now()): string {
    return isSameYear(moment, now) ? this.#day(moment) : this.dayOfYear(moment)
  }

  /** `18 Nov 2026, 09:12`, for printed or saved documents. */
  date(moment: number): string {
    return `${this.dayOfYear(moment)}, ${this.time(moment)}`
  }

  /** `today, 10:31`, `yesterday, 09:12` or `18 Nov, 09:12`. */
  moment(moment: number, now: number = Date.now()): string {
    if (!Number.isFinite(moment)) return 'at an unknown time'
    return `${nearDay(moment, now) ?? this.day(moment, now)}, ${this.time(moment)}`
  }

  /** `Today`, `Yesterday`, else `Wednesday 18 November`: the heading above a day's rows. */
  heading(moment: number, now: number = Date.now()): string {
    if (!Number.isFinite(moment)) return 'Unknown day'
    const near = nearDay(moment, now)
    if (near) return near[0]?.toUpperCase() + near.slice(1)
    const text = this.#longDay(moment).replace(',', '')
    return isSameYear(moment, now) ? text : `${text} ${new Date(moment).getFullYear()}`
  }

  /** The local month of a timestamp: `November 2026`. */
  longMonthOf(moment: number): string {
    const date = new Date(moment)
    return this.#longMonth(Date.UTC(date.getFullYear(), date.getMonth()))
  }

  /** Formats `2026-11` as `Nov`. */
  shortMonth(month: string): string {
    return this.#shortMonth(Date.parse(`${month}-01`))
  }

  /** Formats `2026-11` as `November 2026`. */
  longMonth(month: string): string {
    return this.#longMonth(Date.parse(`${month}-01`))
  }
}

const cache = new Map<string, Dates>()

/** Dates in a style; memoized, so that memoized components do not re-render. */
export function datesIn(style: DateStyle): Dates {
  const key = `${style.language} ${style.hour12}`
  const dates = cache.get(key) ?? new Dates(style)
  cache.set(key, dates)
  return dates
}

/** Local midnight of a timestamp's day, in milliseconds; equal for times on the same day. */
export function dayStart(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}

function isSameYear(moment: number, now: number): boolean {
  return new Date(moment).getFullYear() === new Date(now).getFullYear()
}

function nearDay(moment: number, now: number): string | null {
  const daysAgo = Math.round((dayStart(now) - dayStart(moment)) / 86_400_000)
  if (daysAgo === 0) return 'today'
  if (daysAgo === -1) return 'tomorrow'
  return daysAgo === 1 ? 'yesterday' : null
}

import { dayMs } from './durations.ts'

/** A typed transcript is due after so many. */
export const manualBusinessDays = 3

function isWeekend(at: number): boolean {
  const day = new Date(at).getUTCDay()
  return day === 0 || day === 6
}

/** The same time of day, this many business days (Monday to Friday, UTC) later. Times in milliseconds since 1970. */
export function addBusinessDays(at: number, days: number): number {
  let result = at
  for (let left = days; left > 0; ) {
    result += dayMs
    if (!isWeekend(result)) left -= 1
  }
  return result
}

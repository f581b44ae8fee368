import { useSyncExternalStore } from 'react'
import { type Dates, datesIn } from '../../base/ui/dates.ts'
import { preferences } from './preferences.ts'

/** Dates in the preferred style, outside components; these use {@link useDates}. */
export function datesNow(): Dates {
  const { dateLanguage, clock } = preferences.get()
  return datesIn({ language: dateLanguage, hour12: clock === '12' })
}

/** Dates in the preferred style; the component renders again when the style changes. */
export function useDates(): Dates {
  return useSyncExternalStore(preferences.subscribe, datesNow)
}

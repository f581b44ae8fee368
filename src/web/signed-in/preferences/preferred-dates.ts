import { useSyncExternalStore } from 'react'
import { type Dates, datesIn } from '../../base/ui/dates.ts'
import { preferences } from './preferences.ts'

/** The preferred date style, outside components; components use {@link useDates}. */
export function datesNow(): Dates {
  const { dateLanguage, clock } = preferences.get()
  return datesIn({ language: dateLanguage, hour12: clock === '12' })
}

/** The preferred date style; the component re-renders when it changes. */
export function useDates(): Dates {
  return useSyncExternalStore(preferences.subscribe, datesNow)
}

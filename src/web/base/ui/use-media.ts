import { useCallback, useSyncExternalStore } from 'react'
import { phoneQuery } from './media-queries.ts'

/** True while a media query matches. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** True on a phone. */
export function useIsPhone(): boolean {
  return useMedia(phoneQuery)
}

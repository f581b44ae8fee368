import { useCallback, useSyncExternalStore } from 'react'

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

/** Below this the rows become cards and the pages a bar at the bottom; the same edge as the `phone:` variant. */
export function useIsPhone(): boolean {
  return useMedia('(width < 48rem)')
}

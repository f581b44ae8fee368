import { useCallback, useSyncExternalStore } from 'react'

/** Phones: rows become cards, and the navigation a bottom bar. The same breakpoint as the `phone:` variant. */
const phoneQuery = '(width < 48rem)'
/** Windows too narrow for a table of files: its rows are cards, as on phones. */
export const cardsQuery = '(width < 60rem)'
/** Windows too narrow for the sidebar's labels. */
export const railQuery = '(width < 72rem)'

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

import { useEffect } from 'react'
import type { Session } from '../../base/api/client.ts'
import { whenIdle } from '../../base/state/when-idle.ts'
import { type PreferencesChange, preferences, setPreferences } from './preferences.ts'

/** No page needs this code to render: it is fetched after the initial load, started by `useAccountPreferences`. */
const loadAccountPreferences = () => import('./account-preferences.ts')

/**
 * Changes preferences: immediately in this tab, and in the account's settings if the service stores them. If that
 * fails, the change is undone and a message says why.
 */
export async function changePreferences(session: Session, change: PreferencesChange): Promise<void> {
  const before = preferences.get()
  const after = { ...before, ...change, news: { ...before.news, ...change.news } }
  setPreferences(after)
  const { saveChange } = await loadAccountPreferences()
  await saveChange(session, change, before, after)
}

/** Applies the account's preferences while a component is mounted, including changes by other tabs or devices. */
export function useAccountPreferences(session: Session): void {
  useEffect(() => {
    let unsubscribe: (() => void) | null = null
    let isUnmounted = false
    // Settings can be large; the page's own content comes first.
    const cancel = whenIdle(() =>
      loadAccountPreferences().then(
        ({ followAccountPreferences }) => {
          if (!isUnmounted) unsubscribe = followAccountPreferences(session)
        },
        () => undefined, // Without it those of this device apply.
      ),
    )
    return () => {
      isUnmounted = true
      cancel()
      unsubscribe?.()
    }
  }, [session])
}

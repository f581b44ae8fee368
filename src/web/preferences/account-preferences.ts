import { QueryObserver } from '@tanstack/react-query'
import { isJsonObject, mergePatch } from '../../contract/merge-patch.ts'
import type { Session } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { changeSettings, expectedSettings, settings } from '../api/settings.ts'
import { showToast } from '../ui/toast.tsx'
import { type Preferences, preferences, preferencesOf, setPreferences } from './preferences.ts'

/** Some of the preferences, and some of the kinds of news. */
export type PreferencesChange = Partial<Omit<Preferences, 'news'>> & { news?: Partial<Preferences['news']> }

/**
 * Changes preferences: immediately in this tab, and in the account's settings where the service stores them. If that fails,
 * the change is undone and a message says why.
 */
export async function changePreferences(session: Session, change: PreferencesChange): Promise<void> {
  const before = preferences.get()
  const after = preferencesOf(mergePatch(before, change))
  setPreferences(after)
  try {
    await changeSettings(session, { preferences: change })
  } catch (error) {
    setPreferences(withoutChange(before, after))
    showToast({ tone: 'bad', title: 'The setting was not saved', detail: (error as Error).message })
  }
}

/** The current preferences with a change undone; what was changed again since stays. */
function withoutChange(before: Preferences, after: Preferences): Preferences {
  const now = preferences.get()
  const undone = (Object.keys(after) as (keyof Preferences)[]).filter(
    (name) => after[name] !== before[name] && JSON.stringify(after[name]) === JSON.stringify(now[name]),
  )
  return { ...now, ...Object.fromEntries(undone.map((name) => [name, before[name]])) }
}

/**
 * Applies the account's preferences, now and whenever another tab or device changes them. What was never chosen for the
 * account stays as it is on this device. Does nothing where the service stores no settings.
 * @returns a function that unsubscribes
 */
export function followAccountPreferences(session: Session): () => void {
  const follow = () => {
    const stored = expectedSettings(session)?.preferences
    if (isJsonObject(stored)) setPreferences(preferencesOf(mergePatch(preferences.get(), stored)))
  }
  const stops = [
    new QueryObserver(queryClient, settings.query(session)).subscribe(follow),
    queryClient.getMutationCache().subscribe(follow),
  ]
  follow()
  return () => {
    for (const stop of stops) stop()
  }
}

import { QueryObserver } from '@tanstack/react-query'
import { isJsonObject, mergePatch } from '../../contract/merge-patch.ts'
import type { Session } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { changeSettings, expectedSettings, settings } from '../api/settings.ts'
import { showToast } from '../ui/toast.tsx'
import { type Preferences, preferences, preferencesOf, setPreferences } from './preferences.ts'

/** Some of the preferences; of the kinds of news, some. */
export type PreferencesChange = Partial<Omit<Preferences, 'news'>> & { news?: Partial<Preferences['news']> }

/**
 * Changes preferences: at once here, and with the account where the service stores settings. Where that fails they are
 * as before, and a message says so.
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

/** The preferences as they are now, with what was changed as before; a later change of the same stays. */
function withoutChange(before: Preferences, after: Preferences): Preferences {
  const now = preferences.get()
  const undone = (Object.keys(after) as (keyof Preferences)[]).filter(
    (name) => after[name] !== before[name] && JSON.stringify(after[name]) === JSON.stringify(now[name]),
  )
  return { ...now, ...Object.fromEntries(undone.map((name) => [name, before[name]])) }
}

/**
 * Puts the account's preferences in force, and each change of them, by whichever tab or device. What the account has
 * never chosen stays as on this device. Nothing happens where the service stores no settings.
 * @returns a function that stops
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

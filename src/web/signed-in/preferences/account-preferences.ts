import { QueryObserver } from '@tanstack/react-query'
import { isJsonObject, mergePatch } from '../../../contract/common/merge-patch.ts'
import type { Session } from '../../base/api/client.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { changeSettings, expectedSettings, settings } from '../../base/api/settings.ts'
import { showToast } from '../../base/ui/toast.tsx'
import {
  type Preferences,
  type PreferencesChange,
  parsePreferences,
  preferences,
  setPreferences,
} from './preferences.ts'

/**
 * Stores a change with the account, if the service stores settings; undoes it with a message if that fails.
 * @param before the preferences without the change
 * @param after those with it, which are already applied
 */
export async function saveChange(
  session: Session,
  change: PreferencesChange,
  before: Preferences,
  after: Preferences,
): Promise<void> {
  try {
    await changeSettings(session, { preferences: change })
  } catch (error) {
    setPreferences(withoutChange(before, after))
    showToast({ tone: 'bad', title: 'The setting was not saved', detail: (error as Error).message })
  }
}

/** The current preferences with a change undone; keeps values changed again since. */
function withoutChange(before: Preferences, after: Preferences): Preferences {
  const now = preferences.get()
  const undone = (Object.keys(after) as (keyof Preferences)[]).filter(
    (name) => after[name] !== before[name] && JSON.stringify(after[name]) === JSON.stringify(now[name]),
  )
  return { ...now, ...Object.fromEntries(undone.map((name) => [name, before[name]])) }
}

/**
 * Applies the account's preferences, now and whenever another tab or device changes them. Preferences never set for the
 * account stay as they are on this device. Does nothing if the service stores no settings.
 * @returns an unsubscribe function
 */
export function followAccountPreferences(session: Session): () => void {
  const follow = () => {
    const stored = expectedSettings(session)?.preferences
    if (isJsonObject(stored)) setPreferences(parsePreferences(mergePatch(preferences.get(), stored)))
  }
  const unsubscribers = [
    new QueryObserver(queryClient, settings.query(session)).subscribe(follow),
    queryClient.getMutationCache().subscribe(follow),
  ]
  follow()
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

import { account } from '../api/account.ts'
import type { Session } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { readSettings, writeSettings } from '../api/settings.ts'
import { changePreferences, onPreferences, preferencesNow, preferencesOf } from './preferences.ts'

const settleMs = 800

/**
 * Keeps the preferences with the account where the service keeps settings: reads them once, and writes each change of
 * this page a moment after it. Without that they stay on this device.
 * @returns a function that stops
 */
export function keepPreferencesWithAccount(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const offered = queryClient
    .query(account.overview(session))
    .then((overview) => overview?.features.settings ?? false)
    .catch(() => false)

  void offered
    .then(async (isOffered) => {
      if (!isOffered) return
      const { preferences: kept } = await readSettings(session)
      if (kept !== undefined && !stopped) changePreferences(preferencesOf(kept), false)
    })
    .catch(() => undefined) // This device's copy stands until the account can be read.

  const stopListening = onPreferences((isOwnChange) => {
    if (!isOwnChange) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      void offered
        .then((isOffered) => (isOffered ? writeSettings(session, { preferences: preferencesNow() }) : undefined))
        .catch(() => undefined) // Kept on this device; the next change writes again.
    }, settleMs)
  })
  return () => {
    stopped = true
    stopListening()
  }
}

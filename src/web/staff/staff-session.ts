import { createContext, useContext } from 'react'
import type { StaffOverview } from '../../contract/work/staff.ts'
import type { Credentials, Session } from '../base/api/client.ts'
import { queryClient } from '../base/api/query-client.ts'
import { Signal } from '../base/state/signal.ts'

/*
 * Like customers' sessions: a key is stored in this module's memory and, if its owner chooses, also in the tab's
 * sessionStorage; never in a URL, a cookie, localStorage or IndexedDB. `wasRefused`: the last session ended because the
 * service rejected its key.
 */
const storageKey = 'parley.work.session'

type SignedIn = { session: Session | null; wasRefused: boolean }

function stored(): Session | null {
  const [account, key] = sessionStorage.getItem(storageKey)?.split('\n') ?? []
  return account && key ? { environment: 'live', account, key } : null
}

export const signedIn = new Signal<SignedIn>({ session: stored(), wasRefused: false })

/** Starts a session. @param keep over reloads, until this tab closes */
export function signInStaff({ id }: StaffOverview, key: string, keep: boolean): void {
  if (keep) sessionStorage.setItem(storageKey, `${id}\n${key}`)
  signedIn.set({ session: { environment: 'live', account: id, key }, wasRefused: false })
}

/** Ends the session; no data loaded with its key stays in the page. */
export function signOutStaff(wasRefused = false): void {
  sessionStorage.removeItem(storageKey)
  signedIn.set({ session: null, wasRefused })
  queryClient.clear()
}

/** Ends the session if it uses this key. */
export function dropRefusedKey({ key }: Credentials): void {
  if (signedIn.get().session?.key === key) signOutStaff(true)
}

type Staff = { session: Session; staff: StaffOverview }
export const StaffContext = createContext<Staff | null>(null)

/** The signed-in staff member. Only within the frame, which ensures that there is one. */
export function useStaff(): Staff {
  const staff = useContext(StaffContext)
  if (staff === null) throw new Error('useStaff is used outside of the signed-in pages.')
  return staff
}

import { createContext, useContext } from 'react'
import type { StaffOverview } from '../../contract/work/staff.ts'
import type { Credentials, Session } from '../base/api/client.ts'
import { queryClient } from '../base/api/query-client.ts'
import { Signal } from '../base/state/signal.ts'

/*
 * As the customers' sessions: a key is in this module's memory, where its owner wants it also in the tab's sessionStorage;
 * never in a URL, a cookie, localStorage or IndexedDB. `wasRefused`: the last one ended because the service did not know it.
 */
const storageKey = 'parley.work.session'

type SignedIn = { session: Session | null; wasRefused: boolean }

function stored(): Session | null {
  const [account, key] = sessionStorage.getItem(storageKey)?.split('\n') ?? []
  return account && key ? { environment: 'live', account, key } : null
}

export const signedIn = new Signal<SignedIn>({ session: stored(), wasRefused: false })

/** Begins a session. @param keep over reloads, until this tab closes */
export function signInStaff({ id }: StaffOverview, key: string, keep: boolean): void {
  if (keep) sessionStorage.setItem(storageKey, `${id}\n${key}`)
  signedIn.set({ session: { environment: 'live', account: id, key }, wasRefused: false })
}

/** Ends the session; nothing that was read with its key stays in the page. */
export function signOutStaff(wasRefused = false): void {
  sessionStorage.removeItem(storageKey)
  signedIn.set({ session: null, wasRefused })
  queryClient.clear()
}

/** Ends the session of this key, if it is the one. */
export function dropRefusedKey({ key }: Credentials): void {
  if (signedIn.get().session?.key === key) signOutStaff(true)
}

type Staff = { session: Session; staff: StaffOverview }
export const StaffContext = createContext<Staff | null>(null)

/** Who works here. Only within the frame, which sees to it that there is somebody. */
export function useStaff(): Staff {
  const staff = useContext(StaffContext)
  if (staff === null) throw new Error('useStaff is used outside of the signed-in pages.')
  return staff
}

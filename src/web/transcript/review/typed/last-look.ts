import type { Session } from '../../../base/api/client.ts'

/* When somebody looked at an order in progress last, on this device: what was finished since is new to them. */

const storageKey = ({ environment, account }: Session, id: string) => `parley.looked.${environment}.${account}.${id}`

/** The newest change that was seen, ISO 8601; null if it was never looked at. */
export function lastLook(session: Session, id: string): string | null {
  try {
    return localStorage.getItem(storageKey(session, id))
  } catch {
    return null
  }
}

/** Remembers what is seen now. Where the browser stores nothing, nothing is new next time. */
export function rememberLook(session: Session, id: string, newest: string): void {
  try {
    localStorage.setItem(storageKey(session, id), newest)
  } catch {
    // As above.
  }
}

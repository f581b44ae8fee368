import type { Session } from '../../../base/api/client.ts'

/* When an order in progress was last viewed on this device: anything finished since is new to the user. */

const storageKey = ({ environment, account }: Session, id: string) => `parley.looked.${environment}.${account}.${id}`

/** The newest change that was seen, ISO 8601; null if it was never viewed. */
export function lastLook(session: Session, id: string): string | null {
  try {
    return localStorage.getItem(storageKey(session, id))
  } catch {
    return null
  }
}

/** Stores the newest change seen. If storage fails, nothing is marked as new next time. */
export function rememberLook(session: Session, id: string, newest: string): void {
  try {
    localStorage.setItem(storageKey(session, id), newest)
  } catch {
    // As above.
  }
}

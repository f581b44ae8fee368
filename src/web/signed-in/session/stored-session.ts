import type { Environment } from '../../../contract/interface/environment.ts'
import type { Session } from '../../base/api/client.ts'

function storageKey(environment: Environment): string {
  return `parley.session.${environment}`
}

/** The session that this tab has stored, which survives reloads, or null. */
export function storedSession(environment: Environment): Session | null {
  const [account, key] = sessionStorage.getItem(storageKey(environment))?.split('\n') ?? []
  return account && key ? { environment, account, key } : null
}

/** Stores a session until this tab closes. */
export function storeSession({ environment, account, key }: Session): void {
  sessionStorage.setItem(storageKey(environment), `${account}\n${key}`)
}

export function forgetStoredSession(environment: Environment): void {
  sessionStorage.removeItem(storageKey(environment))
}

const returnKey = 'parley.return'

/** Stores a session that is not stored for the way to another site and back alone. */
export function storeForReturn(session: Session): void {
  if (storedSession(session.environment) !== null) return
  storeSession(session)
  sessionStorage.setItem(returnKey, session.environment)
}

/** Once back, and read: forgets what was stored for the way. */
export function forgetAfterReturn(): void {
  const environment = sessionStorage.getItem(returnKey)
  if (environment === null) return
  sessionStorage.removeItem(returnKey)
  forgetStoredSession(environment as Environment)
}

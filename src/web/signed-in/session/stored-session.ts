import type { Environment } from '../../../contract/interface/environment.ts'
import type { Session } from '../../base/api/client.ts'

function storageKey(environment: Environment): string {
  return `parley.session.${environment}`
}

/** The session stored for this tab, which survives reloads, or null. */
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

/** Stores a session not yet stored, only for a detour to another site and back. */
export function storeForReturn(session: Session): void {
  if (storedSession(session.environment) !== null) return
  storeSession(session)
  sessionStorage.setItem(returnKey, session.environment)
}

/** After the return: removes a session stored only for the detour. */
export function forgetAfterReturn(): void {
  const environment = sessionStorage.getItem(returnKey)
  if (environment === null) return
  sessionStorage.removeItem(returnKey)
  forgetStoredSession(environment as Environment)
}

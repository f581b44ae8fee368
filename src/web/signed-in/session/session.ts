import { createContext, useContext, useSyncExternalStore } from 'react'
import { redirect } from 'react-router'
import type { Environment } from '../../../contract/interface/environment.ts'
import { environments } from '../../../contract/interface/environment.ts'
import type { Credentials, Session } from '../../base/api/client.ts'
import { Signal } from '../../base/state/signal.ts'
import {
  forgetAfterReturn,
  forgetStoredSession,
  storedSession,
  storeForReturn,
  storeSession,
} from './stored-session.ts'

type Sessions = Record<Environment, Session | null>

/*
 * Keys are held in this module's memory. "Keep me signed in until this tab closes" also stores them in the tab's
 * sessionStorage, as does a detour to a card page; no key is ever in a URL, a cookie, localStorage or IndexedDB. New tabs
 * ask open ones for theirs (`shared-session.ts`).
 */
const sessions = new Signal(Object.fromEntries(environments.map((one) => [one, storedSession(one)])) as Sessions)
forgetAfterReturn()
/** Environments whose session ended because the service refused its key. */
const refused = new Set<Environment>()

/** Calls the listener on every sign-in and sign-out. Returns an unsubscribe function. */
export const onSessionChange = sessions.subscribe

/** The session of an environment, or null if nobody is signed in to it. */
export function getSession(environment: Environment): Session | null {
  return sessions.get()[environment]
}

/** Starts a session. @param keep across reloads, until this tab closes */
export function signIn(session: Session, keep: boolean): void {
  refused.delete(session.environment)
  if (keep) storeSession(session)
  sessions.set({ ...sessions.get(), [session.environment]: session })
}

/** Navigates to another site that redirects back here, where the session then continues. */
export function leaveFor(url: string, session: Session): void {
  storeForReturn(session)
  window.location.assign(url)
}

/** Ends the session of an environment and forgets its key. */
export function signOut(environment: Environment): void {
  forgetStoredSession(environment)
  sessions.set({ ...sessions.get(), [environment]: null })
}

/** Ends the session that uses this key, if any: the service has refused it. */
export function dropRefusedKey({ environment, key }: Credentials): void {
  if (getSession(environment)?.key !== key) return
  refused.add(environment)
  signOut(environment)
}

/** The session of an environment; re-renders when it changes. */
export function useEnvironmentSession(environment: Environment): Session | null {
  return useSyncExternalStore(onSessionChange, () => getSession(environment))
}

export const SessionContext = createContext<Session | null>(null)

/** The page's session. For use below the shell only, which guarantees that there is one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession is used outside of the signed-in pages.')
  return session
}

/** True for the two path segments that a URL may begin with. */
export function isEnvironment(value: string | undefined): value is Environment {
  return (environments as readonly (string | undefined)[]).includes(value)
}

/** Path of the sign-in page that returns to `from` and, if the service refused the key, says why. */
export function signInPath(environment: Environment, from: string): string {
  const reason = refused.has(environment) ? { reason: 'refused' } : {}
  return `/sign-in?${new URLSearchParams({ environment, from, ...reason })}`
}

/**
 * The session for a page's loader.
 * @throws a redirect to the sign-in page that returns to this URL; a 404 if there is no such environment
 */
export function requireSession(params: { environment?: string | undefined }, request: Request): Session {
  const { environment } = params
  if (!isEnvironment(environment)) throw new Response('No such page', { status: 404 })
  const session = getSession(environment)
  if (session) return session
  throw redirect(signInPath(environment, pathOf(request)))
}

/** The path of a loader's request, with the hash of the page's first address, which requests lack. */
export function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  return pathname + search + (pathname.endsWith(window.location.pathname) ? window.location.hash : '')
}

/** Where to go after signing in: the previous page if it is in this environment, else its list of files. */
export function returnPath(environment: Environment, from: string | null): string {
  const home = `/${environment}/files`
  return from === `/${environment}` || from?.startsWith(`/${environment}/`) ? from : home
}

import type { AccountOverview } from '../../../contract/account/account.ts'
import { environmentOfKey } from '../../../contract/interface/environment.ts'
import { fetchOverview } from '../../base/api/account.ts'
import { apiUrl } from '../../base/api/addresses.ts'
import { ApiError, type Credentials, request, type Session } from '../../base/api/client.ts'
import { otherEnvironment } from '../../signed-in/session/offers.ts'

export type SignedIn = { session: Session; overview: AccountOverview | null }

/**
 * Asks the service whether a key is valid, and which account it belongs to.
 * @throws ApiError 401 if the key is unknown in that environment, 0 and 5xx if the service cannot respond
 */
export async function checkKey(credentials: Credentials): Promise<SignedIn> {
  const overview = await fetchOverview(credentials)
  if (overview) return { session: { ...credentials, account: overview.id }, overview }
  await request(credentials, apiUrl(credentials.environment, 'files'))
  return { session: { ...credentials, account: await digestKey(credentials.key) }, overview: null }
}

/** The field's error message. @param key as typed */
export function keyProblem(error: unknown, environment: Credentials['environment'], key: string): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Try again.'
  if (error.status === 401) {
    const named = environmentOfKey(key.trim())
    if (named === null) return 'This key is not valid. Is it complete?'
    if (named === environment) return 'This key is not valid. Is it complete, or was it revoked?'
    if (otherEnvironment(environment) === null) return 'This key is not valid.'
    return environment === 'live'
      ? 'This key is not valid in Live. Is it a sandbox key?'
      : 'This key is not valid in Sandbox. Is it a live key?'
  }
  if (error.status === 0) return `${error.message} The key was not checked; try again in a moment.`
  return error.status === 429 ? 'Too many attempts. Wait a moment, then try again.' : error.message
}

/** An account id for services that report none: a digest of the key. */
async function digestKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`parley account ${key}`))
  return [...new Uint8Array(digest).slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

import type { Environment } from '../../../contract/interface/environment.ts'
import { afterRead, type HotReads, type KnownKey } from '../../platform/db/hot-reads.ts'
import { keyOfHeader } from '../../platform/db/key-hash.ts'
import type { Clock } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** The sender of a request: the account and the key used. */
export type Caller = KnownKey

/**
 * The challenge of a 401. A page's own `fetch` gets a scheme that browsers do not know, so that no log-in dialog of the
 * browser opens over the dashboard (decision 5).
 */
export function challenge(secFetchMode: string | undefined): string {
  return secFetchMode === 'cors' ? 'ApiKey realm="Parley"' : 'Basic realm="Parley", charset="UTF-8"'
}

type AuthHeaders = {
  authorization?: string | undefined
  'sec-fetch-mode'?: string | string[] | undefined
}

/**
 * Finds the caller of a request in one environment; a key of the other one is unknown there (spec 5, rules 3 and 4).
 * @throws ServiceError 401 if the key is missing, unknown, revoked or expired
 */
export function authenticate(
  reads: HotReads,
  clock: Clock,
  environment: Environment,
  headers: AuthHeaders,
): Caller | Promise<Caller> {
  const { authorization } = headers
  const known = authorization === undefined ? undefined : reads.keyOf(authorization, environment)
  return afterRead(known, (key) => {
    if (key !== undefined && (key.expiresAt === null || key.expiresAt > clock())) return key
    throw unauthorized(headers)
  })
}

function unauthorized({ authorization, 'sec-fetch-mode': mode }: AuthHeaders): ServiceError {
  return new ServiceError(
    401,
    keyOfHeader(authorization) === null
      ? 'An API key is required: use HTTP Basic authentication with the key as the user name and an empty password. See /docs/start.'
      : 'This API key is not valid here. Check the key and its environment (live or sandbox).',
    { 'www-authenticate': challenge(Array.isArray(mode) ? mode[0] : mode) },
  )
}

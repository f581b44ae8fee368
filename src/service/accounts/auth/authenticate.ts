import type { Environment } from '../../../contract/interface/environment.ts'
import { afterRead, type HotReads, type KnownKey } from '../../platform/db/hot-reads.ts'
import type { Clock } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { hashKey } from './keys.ts'

/** Who sent a request: the account, and the key that was used. */
export type Caller = KnownKey

/**
 * The API key of an `Authorization` header: the user name of HTTP Basic, whose password is empty (spec 5). The scheme
 * may be written in any case (RFC 9110, 11.1). Null where the header carries no key of that form.
 */
function keyOfHeader(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 1 || colon !== credentials.length - 1) return null
  return credentials.slice(0, colon)
}

/** The hash under which the key of an `Authorization` header is stored; null where the header has no key. */
export function keyHashOfHeader(header: string): string | null {
  const key = keyOfHeader(header)
  return key === null ? null : hashKey(key)
}

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
 * @throws ServiceError 401 where the key is missing, unknown, revoked or expired
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
      ? 'An API key is required: use HTTP Basic authentication with the key as the user name and an empty password.'
      : 'This API key is not valid here. Check the key and its environment (live or sandbox).',
    { 'www-authenticate': challenge(Array.isArray(mode) ? mode[0] : mode) },
  )
}

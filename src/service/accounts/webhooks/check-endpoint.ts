import type { Account } from '../../platform/db/schema.ts'
import type { Guard } from '../../platform/net/outbound-guard.ts'
import { TargetError } from '../../platform/net/outbound-guard.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** `host:port` of an address, with the default port of its scheme. */
function target(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`
}

/**
 * Validates an endpoint URL. It must resolve to public addresses (SSRF, decision 8) and, for a live account, use https;
 * an allow-listed `host:port` is exempt from both.
 * @returns the URL as it is stored
 * @throws ServiceError 400 with the reason
 */
export async function checkEndpoint(
  text: string,
  { id, environment }: Pick<Account, 'id' | 'environment'>,
  allowTargets: readonly string[],
  guard: Guard,
): Promise<string> {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  if (url === null) throw new ServiceError(400, 'Enter a complete URL, such as https://hooks.example.org/parley.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ServiceError(400, 'Webhooks are sent over https. Enter a URL that begins with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError(400, 'Leave user name and password out of the URL: the signature proves who sent the event.')
  }
  if (url.protocol === 'http:' && environment === 'live' && !allowTargets.includes(target(url))) {
    throw new ServiceError(400, 'A live webhook needs https, so that nobody can read or forge it in transit.')
  }
  url.hash = ''
  try {
    await guard.check(url, id)
  } catch (error) {
    if (error instanceof TargetError) throw new ServiceError(400, error.message)
    throw error
  }
  return url.href
}

import { queryOptions } from '@tanstack/react-query'
import { type AccountOverview, accountOverview } from '../../../contract/account/account.ts'
import type { KeyRight } from '../../../contract/account/key-limits.ts'
import { type DemoAccount, demoAccount } from '../../../contract/account/sandbox.ts'
import { accountUrl } from './addresses.ts'
import { ApiError, accountKey, type Credentials, readJson, request, requestOpenly, type Session } from './client.ts'
import { queryClient } from './query-client.ts'

/** The account, and the features the service offers; null if it has no account interface. */
export async function fetchOverview(credentials: Credentials, signal?: AbortSignal): Promise<AccountOverview | null> {
  try {
    const response = await request(credentials, accountUrl(credentials.environment, ''), { signal: signal ?? null })
    // A server without this interface may answer any URL with a page of its own.
    if (!response.headers.get('Content-Type')?.includes('json')) return null
    return await readJson(response, accountOverview)
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return null
    throw error
  }
}

/** A closed account is read, exported, paid back and opened again; the service refuses every other change. */
export function isClosed(overview: AccountOverview | null | undefined): boolean {
  return overview?.closing !== undefined
}

/** What the service offers to do with files. */
export function fileOffers(overview: AccountOverview | null | undefined): AccountOverview['features'] | undefined {
  const features = overview?.features
  return features && isClosed(overview) ? { ...features, labels: false, deletion: false } : features
}

/**
 * Whether the key of this page has a right; without limits, or where there are no rights, it has all. That of a closed
 * account only reads.
 */
export function hasRight(overview: AccountOverview | null | undefined, right: KeyRight): boolean {
  if (isClosed(overview)) return right === 'read'
  return overview?.key_limits?.rights.includes(right) ?? true
}

/** Creates a sandbox account with a test card. @throws ApiError 404 if the service offers none */
export async function openDemoAccount(): Promise<DemoAccount> {
  return await readJson(await requestOpenly(accountUrl('sandbox', 'demo'), { method: 'POST' }), demoAccount)
}

/** Queries of the account interface. */
export const account = {
  all: (session: Session) => [...accountKey(session), 'account'] as const,
  overview: (session: Session) =>
    queryOptions({
      queryKey: [...account.all(session), 'overview'] as const,
      queryFn: ({ signal }) => fetchOverview(session, signal),
      staleTime: 60_000,
      // Poll only during a model download; events announce all other changes, which are rare.
      refetchInterval: ({ state }) => (state.data?.recognition.model_download ? 3_000 : false),
    }),
}

/** Whether the service stores corrections. @throws ApiError if it cannot be asked */
export async function keepsCorrections(session: Session): Promise<boolean> {
  const overview = await queryClient.query(account.overview(session))
  return overview?.features.corrections === true
}

import { QueryClient } from '@tanstack/react-query'
import { ApiError, isWorthRetrying } from './client.ts'

const maxRetries = 3

/** Retries only network failures, 5xx and 429 (after the service's Retry-After), with growing delays. */
export const retries = {
  retry: (failures: number, error: Error) => failures < maxRetries && isWorthRetrying(error),
  retryDelay: (failures: number, error: Error) =>
    (error instanceof ApiError ? error.retryAfterMs : null) ?? Math.min(8_000, 500 * 2 ** failures),
}

/** The cache of the service's responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: 'offlineFirst',
      ...retries,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Prefetches queries that a page's components will use; the components show any failure. */
export function startQueries(...queries: Promise<unknown>[]): void {
  for (const query of queries) query.catch(() => undefined)
}

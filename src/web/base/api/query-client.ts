import { QueryClient } from '@tanstack/react-query'
import { ApiError, isWorthRetrying } from './client.ts'

const maxRetries = 3

/** Retries only no answer, 5xx and 429, the last when the service allows it; each time later. */
export const retries = {
  retry: (failures: number, error: Error) => failures < maxRetries && isWorthRetrying(error),
  retryDelay: (failures: number, error: Error) =>
    (error instanceof ApiError ? error.retryAfterMs : null) ?? Math.min(8_000, 500 * 2 ** failures),
}

/** The cache of what the service answered. */
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

/** Starts a query, or several, that a page's components will use: a failure is theirs to show. */
export function startQueries(...queries: Promise<unknown>[]): void {
  for (const query of queries) query.catch(() => undefined)
}

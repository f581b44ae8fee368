import { QueryClient } from '@tanstack/react-query'
import { ApiError, isWorthRetrying } from './client.ts'

const maxRetries = 3

/** The cache of what the service said. Retries only no answer, 5xx and 429, the last when the service allows it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: 'offlineFirst',
      retry: (failures, error) => failures < maxRetries && isWorthRetrying(error),
      retryDelay: (failures, error) =>
        (error instanceof ApiError ? error.retryAfterMs : null) ?? Math.min(8_000, 500 * 2 ** failures),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

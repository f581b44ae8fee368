import { useRevalidator, useRouteError } from 'react-router'
import { ApiError } from '../base/api/client.ts'
import { useRetryOnline } from '../base/ui/use-online.ts'
import { RouteError } from './route-error.tsx'

/** Shown in the shell instead of a page that failed; its data is loaded again once the connection is back. */
export function PageError() {
  const { revalidate } = useRevalidator()
  useRetryOnline(useRouteError() instanceof ApiError, () => void revalidate())
  return <RouteError />
}

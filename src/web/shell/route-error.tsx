import { isRouteErrorResponse, Link, useRevalidator, useRouteError } from 'react-router'
import { ApiError } from '../base/api/client.ts'
import { buttonClass } from '../base/ui/button.tsx'
import { EmptyState, PageFailure } from '../base/ui/empty-state.tsx'
import { useRetryOnline } from '../base/ui/use-online.ts'

/** Shown for an address that does not exist. */
export function NotFound() {
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        title="Page not found"
        actions={
          <Link to="/" className={buttonClass('secondary')}>
            Go to your files
          </Link>
        }
      >
        The link may be outdated or incomplete.
      </EmptyState>
    </div>
  )
}

/** Shown instead of a page that failed; what could not be loaded is loaded again once the connection is back. */
export function RouteError() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  useRetryOnline(error instanceof ApiError, () => void revalidate())
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <PageFailure message={error instanceof ApiError ? error.message : null} />
}

/** The same where there is no shell around it. */
export const rootError = {
  ErrorBoundary: () => (
    <main>
      <RouteError />
    </main>
  ),
  NotFound: () => (
    <main>
      <NotFound />
    </main>
  ),
}

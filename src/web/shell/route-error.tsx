import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { ApiError } from '../base/api/client.ts'
import { buttonClass } from '../base/ui/button.tsx'
import { EmptyState, PageFailure } from '../base/ui/empty-state.tsx'

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

/** Shown instead of a page that failed. */
export function RouteError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <PageFailure message={error instanceof ApiError ? error.message : null} />
}

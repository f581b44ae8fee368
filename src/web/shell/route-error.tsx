import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { ApiError } from '../api/client.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        title="There is nothing at this address"
        actions={
          <Link to="/" className={buttonClass('secondary')}>
            Go to your files
          </Link>
        }
      >
        The link may be old, or a letter of it may be missing.
      </EmptyState>
    </main>
  )
}

/** What a page shows in its own place when it cannot be shown. */
export function RouteError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  const known = error instanceof ApiError
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        title={known ? 'This page could not be loaded' : 'This page failed'}
        actions={
          <button type="button" className={buttonClass('primary')} onClick={() => window.location.reload()}>
            Try again
          </button>
        }
      >
        {known ? error.message : 'Nothing was changed or charged by it. Loading it again usually helps.'}
      </EmptyState>
    </main>
  )
}

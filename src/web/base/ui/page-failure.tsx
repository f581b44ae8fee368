import { buttonClass } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

type Props = {
  /** why it failed to load; null after an error in the page's own code */
  message: string | null
}

/** Replaces a page that failed. */
export function PageFailure({ message }: Props) {
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        title={message === null ? 'Something went wrong on this page' : 'This page could not be loaded'}
        actions={
          <button type="button" className={buttonClass('primary')} onClick={() => window.location.reload()}>
            Try again
          </button>
        }
      >
        {message ?? 'Nothing was changed or charged. Reloading the page usually helps.'}
      </EmptyState>
    </main>
  )
}

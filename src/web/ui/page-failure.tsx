import { buttonClass } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

type Props = {
  /** why it could not be loaded, in words; null where the page itself is at fault */
  message: string | null
}

/** What a page shows in its own place when it cannot be shown. */
export function PageFailure({ message }: Props) {
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        title={message === null ? 'This page failed' : 'This page could not be loaded'}
        actions={
          <button type="button" className={buttonClass('primary')} onClick={() => window.location.reload()}>
            Try again
          </button>
        }
      >
        {message ?? 'Nothing was changed or charged by it. Loading it again usually helps.'}
      </EmptyState>
    </main>
  )
}

import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'

type Props = { icon?: ReactNode; title: string; children?: ReactNode; actions?: ReactNode }

/** Shown for an empty list: what belongs here, and how to add it. */
export function EmptyState({ icon, title, children, actions }: Props) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-16 text-center">
      {icon && <div className="mb-1 text-accent [&_svg]:size-7">{icon}</div>}
      <h2 className="text-md font-semibold">{title}</h2>
      {children && <div className="max-w-md text-ink-2">{children}</div>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

type PageFailureProps = {
  /** why it failed to load; null after an error in the page's own code */
  message: string | null
}

/** Replaces a page that failed. Offline a reload would leave Parley; what failed to load loads automatically once the connection is back. */
export function PageFailure({ message }: PageFailureProps) {
  const isOnline = navigator.onLine
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        title={message === null ? 'Something went wrong on this page' : 'This page could not be loaded'}
        actions={
          isOnline && (
            <button type="button" className={buttonClass('primary')} onClick={() => window.location.reload()}>
              Try again
            </button>
          )
        }
      >
        {message ?? 'Reloading the page usually helps.'}
        {!isOnline && message !== null && ' The page loads once the connection is back.'}
      </EmptyState>
    </div>
  )
}

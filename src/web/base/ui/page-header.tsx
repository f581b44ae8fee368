import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = { of?: { to: string; label: string }; title: ReactNode; subtitle?: ReactNode; actions?: ReactNode }

/** The page that others below `/settings` belong to, relative to them. */
export const settingsPage = { to: '../settings', label: 'Settings' }

/**
 * Title of a page, a one-line subtitle, and its actions.
 * @param of the page that this one belongs to: the way back
 */
export function PageHeader({ of, title, subtitle, actions }: Props) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-0.5">
        {of && (
          <Link to={of.to} className="w-fit text-sm text-ink-2 underline-offset-2 hover:underline">
            ‹ {of.label}
          </Link>
        )}
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {subtitle && <p className="text-ink-2">{subtitle}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 phone:w-full">{actions}</div>}
    </header>
  )
}

/** Margins around a page's content, narrower on phones. */
export const pageClass = 'grid content-start gap-4 px-9 pt-7 pb-28 phone:px-4 phone:pt-5'

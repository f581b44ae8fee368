import type { ReactNode } from 'react'

type Props = { title: ReactNode; subtitle?: ReactNode; actions?: ReactNode }

/** Title of a page, a one-line subtitle, and its actions. */
export function PageHeader({ title, subtitle, actions }: Props) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-0.5">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {subtitle && <p className="text-ink-2">{subtitle}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 phone:w-full">{actions}</div>}
    </header>
  )
}

/** Margins around a page's content, narrower on phones. */
export const pageClass = 'grid content-start gap-4 px-9 pt-7 pb-28 phone:px-4 phone:pt-5 print:block print:p-0'

import type { ReactNode } from 'react'

type Props = { href: string; active: boolean; children: ReactNode }

/** One of the details below a file's name that lead somewhere, with the dot after it. The list handles the click. */
export function DetailLink({ href, active, children }: Props) {
  return (
    <>
      <a href={href} tabIndex={active ? 0 : -1} className="font-medium text-ink-2 underline-offset-2 hover:underline">
        {children}
      </a>
      {' · '}
    </>
  )
}

import type { ReactNode } from 'react'
import { Fragment, useId } from 'react'
import { cardClass } from '../../base/ui/card.tsx'
import { Changes } from '../../signed-in/session/changes.tsx'

type Props = {
  id: string
  title: string
  words?: ReactNode
  action?: ReactNode
  children?: ReactNode
  /** it has controls that work while the account is closed, and marks the others as `Changes` */
  worksWhileClosed?: boolean
}

/** A section of the settings, whose heading links can target. */
export function Section({ id, title, words, action, children, worksWhileClosed = false }: Props) {
  const headingId = useId()
  const Controls = worksWhileClosed ? Fragment : Changes
  return (
    <section id={id} aria-labelledby={headingId} className={`${cardClass} grid min-w-0 scroll-mt-4 gap-4 p-5`}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-56 flex-1 gap-0.5">
          <h2 id={headingId} className="text-md font-semibold">
            {title}
          </h2>
          {words && <p className="max-w-prose text-ink-2">{words}</p>}
        </div>
        <Controls>{action}</Controls>
      </div>
      <Controls>{children}</Controls>
    </section>
  )
}

import type { ReactNode } from 'react'

/** A section of the panel with its heading. */
export function PanelSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </section>
  )
}

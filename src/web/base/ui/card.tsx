import type { ReactNode } from 'react'

export const cardClass = 'rounded-lg border border-line bg-surface'

/** A bordered area on the page background. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`${cardClass} ${className}`}>{children}</section>
}

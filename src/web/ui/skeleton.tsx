/** The shape of what is coming. Give it width and height by class; it is silent for screen readers. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden className={`block animate-breathe rounded-sm bg-sunken ${className}`} />
}

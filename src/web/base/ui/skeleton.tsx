/** A placeholder of content that is loading, hidden from screen readers. Its size is given by class. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden className={`block animate-breathe rounded-sm bg-sunken ${className}`} />
}

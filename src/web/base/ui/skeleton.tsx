/** A placeholder for loading content, hidden from screen readers. Its size is set by class. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden className={`block animate-breathe rounded-sm bg-sunken ${className}`} />
}

/** A keyboard key. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong bg-surface px-1.5 font-sans text-xs text-ink-2">
      {children}
    </kbd>
  )
}

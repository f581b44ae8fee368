/** A keyboard key. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong bg-surface px-1.5 font-sans text-xs text-ink-2">
      {children}
    </kbd>
  )
}

/** The key that does the same as the button that it is in or beside: not shown where there are no keys. */
export function KeyHint({ children }: { children: string }) {
  return (
    <span aria-hidden className="phone:hidden pointer-coarse:hidden">
      <Kbd>{children}</Kbd>
    </span>
  )
}

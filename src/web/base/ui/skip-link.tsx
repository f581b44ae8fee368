/** Leads past what comes first on a page; shown while it has the focus. */
export function SkipLink(props: React.ComponentProps<'a'>) {
  return (
    <a
      {...props}
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-3 py-2 text-canvas focus:translate-y-0 print:hidden"
    />
  )
}

type Props = { children: string; className?: string }

/** Preformatted text, never markup. It scrolls, so it is focusable. */
export function CodeText({ children, className = '' }: Props) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className={`overflow-auto rounded-md bg-sunken px-3.5 py-3 font-mono text-xs ${className}`}
    >
      {children}
    </pre>
  )
}

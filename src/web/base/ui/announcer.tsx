import { useEffect, useState } from 'react'

const listeners = new Set<(text: string) => void>()

/** Announces text to screen readers, politely, without showing it. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text)
}

/** The live region that {@link announce} writes to; mounted once in the app. */
export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    // Screen readers announce only changes: a trailing space makes a repeated sentence one.
    const listener = (next: string) => setText((last) => (last === next ? `${next} ` : next))
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  )
}

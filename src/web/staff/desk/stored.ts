/** A staff member's own texts by name, stored on this device; none if they cannot be read. */
export function readStored(key: string): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === 'string'))
  } catch {
    return {}
  }
}

export function store(key: string, texts: Readonly<Record<string, string>>): void {
  try {
    localStorage.setItem(key, JSON.stringify(texts))
  } catch {
    // Storage is full or blocked: they last until the page is closed.
  }
}

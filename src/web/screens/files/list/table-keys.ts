/** The effect of a key on a row. */
export type Movement =
  | { kind: 'move'; by: number | 'first' | 'last'; extend: boolean }
  /** `path`: of the pressed link */
  | { kind: 'open'; path?: string }
  | { kind: 'select'; range: boolean }
  | { kind: 'select-all' }
  | { kind: 'clear' }
  | { kind: 'delete' }

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The effect of a key on a row; null if none. `page`: rows per page key. */
export function movementOf(event: Key, page: number): Movement | null {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey) return null
  if (command) return event.key === 'a' ? { kind: 'select-all' } : null
  const extend = event.shiftKey
  const movements: Record<string, Movement> = {
    ArrowDown: { kind: 'move', by: 1, extend },
    ArrowUp: { kind: 'move', by: -1, extend },
    PageDown: { kind: 'move', by: page, extend },
    PageUp: { kind: 'move', by: -page, extend },
    Home: { kind: 'move', by: 'first', extend },
    End: { kind: 'move', by: 'last', extend },
    Enter: { kind: 'open' },
    ' ': { kind: 'select', range: extend },
    Delete: { kind: 'delete' },
    Escape: { kind: 'clear' },
  }
  return movements[event.key] ?? null
}

/** What a key on a row does. */
export type Movement =
  | { kind: 'move'; by: number | 'first' | 'last'; extend: boolean }
  | { kind: 'open' }
  | { kind: 'select'; range: boolean }
  | { kind: 'select-all' }
  | { kind: 'clear' }
  | { kind: 'delete' }

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** What a key does on a row; null where it does nothing. `page`: rows that a page key moves by. */
export function movementOf(event: Key, page: number): Movement | null {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey) return null
  if (command) return event.key === 'a' ? { kind: 'select-all' } : null
  const extend = event.shiftKey
  switch (event.key) {
    case 'ArrowDown':
      return { kind: 'move', by: 1, extend }
    case 'ArrowUp':
      return { kind: 'move', by: -1, extend }
    case 'PageDown':
      return { kind: 'move', by: page, extend }
    case 'PageUp':
      return { kind: 'move', by: -page, extend }
    case 'Home':
      return { kind: 'move', by: 'first', extend }
    case 'End':
      return { kind: 'move', by: 'last', extend }
    case 'Enter':
      return { kind: 'open' }
    case ' ':
      return { kind: 'select', range: extend }
    case 'Delete':
      return { kind: 'delete' }
    case 'Escape':
      return { kind: 'clear' }
    default:
      return null
  }
}

import { loadMenus, type Point } from '../../../base/ui/menu.tsx'
import { shortcutKey } from '../../../base/ui/shortcut-key.ts'
import { controlAt, type RowAction, rowIdAt } from '../rows/row-element.ts'
import type { ListView } from './list-view.ts'

/** A command from a key or click on a row, other than moving to another row. */
export type RowCommand = Exclude<Movement, { kind: 'move' }>

/** Rows that stay in view on Page Up and Page Down. */
const pageOverlap = 3

type Props = {
  rows: ListView['rows']
  /** pixels */
  rowHeight: number
  selection: ReadonlySet<string>
  activeId: string | null
  onCommand: (command: RowCommand, id: string) => void
  onAction: (action: RowAction, id: string, control: HTMLElement, range: boolean) => void
  /** opens a row's menu, for a right click or the keyboard's menu key */
  onMenu: (id: string, row: HTMLElement, at: Point) => void
  /** activates a row and scrolls to it */
  moveTo: (id: string) => void
}

/** Keys and clicks on the rows of the list: rows have no handlers of their own. */
export function tableEvents({ rows, rowHeight, selection, activeId, onCommand, onAction, onMenu, moveTo }: Props) {
  function move(by: number | 'first' | 'last'): string | null {
    const at = rows.findIndex((row) => row.id === activeId)
    const next = by === 'first' ? 0 : by === 'last' ? rows.length - 1 : Math.min(rows.length - 1, Math.max(0, at + by))
    const row = rows[next]
    if (!row) return null
    moveTo(row.id)
    return row.id
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLElement>) {
    const id = (event.target as HTMLElement).dataset.id
    if (id === undefined) return
    const page = Math.max(1, Math.floor(window.innerHeight / rowHeight) - pageOverlap)
    const movement = readMovement(event, page)
    if (!movement) return
    event.preventDefault()
    if (movement.kind !== 'move') return onCommand(movement, id)
    if (movement.extend && !selection.has(id)) onCommand({ kind: 'select', range: false }, id)
    const reached = move(movement.by)
    if (movement.extend && reached) onCommand({ kind: 'select', range: true }, reached)
  }

  function onClick(event: React.MouseEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const id = rowIdAt(target)
    if (id === null) return
    const found = controlAt(target)
    if (found) return onAction(found.action, id, found.control, event.shiftKey)
    const path = target.closest('a')?.getAttribute('href')
    // A link with a modifier key opens elsewhere: leave that to the browser.
    if (path && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) return
    if (path) event.preventDefault()
    const selects = event.shiftKey || event.ctrlKey || event.metaKey
    onCommand(selects ? { kind: 'select', range: event.shiftKey } : { kind: 'open', ...(path && { path }) }, id)
  }

  /** With Shift, on selected text and under a finger the browser's own menu opens. */
  function onContextMenu(event: React.MouseEvent<HTMLElement>) {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-id]')
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch'
    const isText = getSelection()?.isCollapsed === false
    if (row === null || isTouch || isText || (event.shiftKey && event.button === 2)) return
    event.preventDefault()
    onMenu(row.dataset.id ?? '', row, { x: event.clientX, y: event.clientY })
  }

  const onPointerOver = ({ target }: React.PointerEvent) => {
    if (/menu|formats/.test(controlAt(target as HTMLElement)?.action ?? '')) loadMenus()
  }

  return { onKeyDown, onClick, onContextMenu, onPointerOver }
}

/** The effect of a key on a row. */
type Movement =
  | { kind: 'move'; by: number | 'first' | 'last'; extend: boolean }
  /** `path`: of the pressed link */
  | { kind: 'open'; path?: string }
  | { kind: 'select'; range: boolean }
  | { kind: 'select-all' }
  | { kind: 'clear' }
  | { kind: 'delete' }

type Key = Pick<React.KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The effect of a key on a row; null if none. `page`: rows per page key. */
function readMovement(event: Key, page: number): Movement | null {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey) return null
  if (command) return shortcutKey(event) === 'a' ? { kind: 'select-all' } : null
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

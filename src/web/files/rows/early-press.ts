import { controlAt, type RowAction, rowElementId, rowIdAt } from './row-element.ts'

/** A click on a row that was there before the page's code: on which file, and on which control, or null for the row. */
type Press = { id: string; action: RowAction | null }

let pending: Press | null = null

/** Remembers the last click on a row below `root`, for the page to repeat it. Links lead where they do at once. */
export function recordEarlyPress(root: HTMLElement): void {
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest('a')) return
    const id = rowIdAt(target)
    if (id !== null) pending = { id, action: controlAt(target)?.action ?? null }
  })
}

/** Repeats that click, now that the page can respond to it. */
export function repeatEarlyPress(): void {
  if (pending === null) return
  const { id, action } = pending
  pending = null
  const row = document.getElementById(rowElementId(id))
  const control = action === null ? row : row?.querySelector<HTMLElement>(`[data-action="${action}"]`)
  control?.click()
}

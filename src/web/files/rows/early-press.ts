import { rowElementId, rowIdAt } from './table-row.tsx'

/** A press on a row that stood before the page's code was there: which file, and which control or null for the row. */
type Press = { id: string; does: string | null }

let kept: Press | null = null

/** Remembers the last press on a row of `root`, for the page to do what it asks. Links go where they lead at once. */
export function keepEarlyPress(root: HTMLElement): void {
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest('a')) return
    const id = rowIdAt(target)
    const control = target.closest<HTMLElement>('[data-does]')
    if (id !== null) kept = { id, does: control?.dataset.does ?? null }
  })
}

/** Presses again, now that there is somebody to hear it. */
export function repeatEarlyPress(): void {
  if (kept === null) return
  const { id, does } = kept
  kept = null
  const row = document.getElementById(rowElementId(id))
  const control = does === null ? row : row?.querySelector<HTMLElement>(`[data-does="${CSS.escape(does)}"]`)
  control?.click()
}

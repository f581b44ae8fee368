/** A press on a row that stood before the page's code was there: which file, and which control or null for the row. */
type Press = { id: string; does: string | null }

let kept: Press | null = null

/** Remembers the last press on a row of `root`, for the page to do what it asks. Links go where they lead at once. */
export function keepEarlyPress(root: HTMLElement): void {
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest('a')) return
    const row = target.closest<HTMLElement>('[data-id]')
    const control = target.closest<HTMLElement>('[data-does]')
    if (row?.dataset.id !== undefined) kept = { id: row.dataset.id, does: control?.dataset.does ?? null }
  })
}

/** Presses again, now that there is somebody to hear it. */
export function repeatEarlyPress(root: HTMLElement): void {
  if (kept === null) return
  const { id, does } = kept
  kept = null
  const row = root.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
  const control = does === null ? row : row?.querySelector<HTMLElement>(`[data-does="${CSS.escape(does)}"]`)
  control?.click()
}

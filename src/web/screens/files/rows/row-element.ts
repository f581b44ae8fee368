/** The action of a control in a row, in its element's `data-action`. */
export type RowAction = 'toggle' | 'download' | 'formats' | 'menu' | 'retry'

export function rowElementId(id: string): string {
  return `file-${id}`
}

/** The file whose row contains an element; null if none does. */
export function rowIdAt(element: Element): string | null {
  return element.closest<HTMLElement>('[data-id]')?.dataset.id ?? null
}

/** The row control that is or contains an element, and its action; null if none is. */
export function controlAt(element: Element): { control: HTMLElement; action: RowAction } | null {
  const control = element.closest<HTMLElement>('[data-action]')
  return control && { control, action: control.dataset.action as RowAction }
}

/** Focuses the row of the list that Tab reaches: the active one, else the first. */
export function focusRow(): void {
  document.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus()
}

/** What a control in a row does; its element names it in `data-action`. */
export type RowAction = 'toggle' | 'download' | 'menu' | 'retry'

export function rowElementId(id: string): string {
  return `file-${id}`
}

/** The file in whose row an element is; null if it is in none. */
export function rowIdAt(element: Element): string | null {
  return element.closest<HTMLElement>('[data-id]')?.dataset.id ?? null
}

/** The control of a row that an element is or belongs to, and what it does; null if it is none. */
export function controlAt(element: Element): { control: HTMLElement; action: RowAction } | null {
  const control = element.closest<HTMLElement>('[data-action]')
  return control && { control, action: control.dataset.action as RowAction }
}

import type { Desk } from './desk.ts'

/** Gives the focus to the text if the element that had it is gone. */
export function keepFocus({ view }: Desk): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) view?.focusBlock(null)
  })
}

/** The element that takes the focus of one that is gone: the row in the tab order, or the page if none is left. */
export function rowOrPage(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-id][tabindex="0"]') ?? document.querySelector('main')
}

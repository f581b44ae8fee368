import { useEffect } from 'react'

/** The id of the element that holds the page, which can be focused. */
export const pageId = 'content'

/** The page that was shown last, of all that call {@link useFocusOfPage}; null: none yet */
let shown: string | null = null

/**
 * After a navigation the focus is in the new page, not lost with the link, row, form or dialog that led there. A page
 * that the browser has just loaded is left as the browser has it.
 */
export function useFocusOfPage(pathname: string): void {
  useEffect(() => {
    const before = shown
    shown = pathname
    if (before === null || before === pathname || document.activeElement !== document.body) return
    document.getElementById(pageId)?.focus({ preventScroll: true })
  }, [pathname])
}

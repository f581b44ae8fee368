import { useEffect, useRef } from 'react'

/** The id of the element that holds the page, which can be focused. */
export const pageId = 'content'

/** After a navigation the focus is in the new page, not lost with the link, row or dialog that led there. */
export function useFocusOfPage(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (document.activeElement === document.body) document.getElementById(pageId)?.focus({ preventScroll: true })
  }, [pathname])
}

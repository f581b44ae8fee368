import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in pixels, observed from first paint; 0 until known. */
export function useWidth(host: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [host])
  return width
}

import { type RefObject, useCallback, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { preferencesNow } from '../shell/preferences.ts'
import { LinePlaces } from './line-places.ts'

const fileHeights = { comfortable: 52, compact: 40 }
export const cardHeight = 122
const dayHeight = 29
/** Lines beyond the edges of the window that exist too, so that a quick scroll finds them there. */
const overscan = 6
/** Kept free by `reveal`: the headings above, the bar of chosen files below. */
const clearAbove = 44
const clearBelow = 96

/** Height of a row, in pixels, as dense as the account wants its lists. */
export function fileHeight(): number {
  return fileHeights[preferencesNow().density]
}

/** More lines than any window shows at once. */
const rangeBase = 4_096

/** What the window looks at. Kept here so that rendering never asks the browser for it, which would make it lay out. */
let scrollTop = 0
let windowHeight = 0

function look(): void {
  scrollTop = window.scrollY
  windowHeight = window.innerHeight
}

function subscribeWindow(listener: () => void): () => void {
  const onChange = () => {
    look()
    listener()
  }
  look()
  window.addEventListener('scroll', onChange, { passive: true })
  window.addEventListener('resize', onChange)
  return () => {
    window.removeEventListener('scroll', onChange)
    window.removeEventListener('resize', onChange)
  }
}

export type Lines = {
  places: LinePlaces
  /** the lines that exist: `first` up to, not including, `end` */
  first: number
  end: number
  /** scrolls the least that shows a line */
  reveal: (index: number) => void
}

/**
 * Which lines exist and where they stand, as the window scrolls. Heights are known by kind, so nothing is measured but
 * where the list begins.
 * @param days indexes of the lines that are days
 * @param body the element that holds the lines
 */
export function useLines(
  count: number,
  days: readonly number[],
  body: RefObject<HTMLElement | null>,
  isPhone: boolean,
): Lines {
  const [margin, setMargin] = useState(() => {
    look()
    return 0
  })
  // Whatever comes or goes above the list (a notice, a turned phone) moves it: the page's size tells.
  useLayoutEffect(() => {
    const measure = () => setMargin((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])

  const height = isPhone ? cardHeight : fileHeight()
  const places = useMemo(() => new LinePlaces(count, days, height, dayHeight), [count, days, height])
  // One number for both ends, so that the window is asked once a scroll. Even lines only: these change at every other
  // row that scrolls by.
  const rangeNow = () => {
    const from = Math.max(0, places.indexAt(scrollTop - margin) - overscan) & ~1
    const to = Math.min(count, (places.indexAt(scrollTop - margin + windowHeight) + overscan + 2) & ~1)
    return from * rangeBase + (to - from)
  }
  const range = useSyncExternalStore(subscribeWindow, rangeNow)
  const first = Math.floor(range / rangeBase)
  const end = first + (range % rangeBase)

  const reveal = useCallback(
    (index: number) => {
      const top = margin + places.top(index)
      const bottom = top + places.heightOf(index)
      if (top < window.scrollY + clearAbove) window.scrollTo({ top: top - clearAbove })
      else if (bottom > window.scrollY + window.innerHeight - clearBelow) {
        window.scrollTo({ top: bottom - window.innerHeight + clearBelow })
      }
    },
    [margin, places],
  )
  return { places, first, end, reveal }
}

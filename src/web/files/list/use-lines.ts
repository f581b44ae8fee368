import { type RefObject, useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { cardHeight, dayHeight, fileHeight } from '../rows/list-look.ts'
import { LinePlaces } from './line-places.ts'

/** Lines beyond the edges of the window that exist too, so that a quick scroll finds them there. */
const overscan = 3
const standsAfterMs = 100
const restAfterMs = 200
/** Kept free by `reveal`: the headings above, the bar of chosen files below. */
const clearAbove = 44
const clearBelow = 96

/** More lines than any window shows at once. */
const rangeBase = 4_096

/** What the window looks at. Kept here so that rendering never asks the browser for it, which would make it lay out. */
let scrollTop = window.scrollY
let windowHeight = window.innerHeight
/** Where the list begins, in pixels from the top of the page: as on a usual screen until it stands, and then as it last did. */
let listTop = 200
/** How many lines beyond the edges exist at the moment: none until the first rows stand, which people wait for. */
let ahead = 0
/** The window has not been scrolled for a moment. */
let isAtRest = true
let restTimer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function look(): void {
  scrollTop = window.scrollY
  windowHeight = window.innerHeight
  for (const listener of listeners) listener()
}

function onScroll(): void {
  isAtRest = false
  clearTimeout(restTimer)
  restTimer = setTimeout(() => {
    isAtRest = true
    look()
  }, restAfterMs)
  look()
}

function subscribeWindow(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', look)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('scroll', onScroll)
    window.removeEventListener('resize', look)
  }
}

export type Lines = {
  places: LinePlaces
  /** the lines that exist: `first` up to, not including, `end` */
  first: number
  end: number
  /** the window is not being scrolled */
  isAtRest: boolean
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
  // Whatever comes or goes above the list (a notice, a turned phone) moves it: the page's size tells, once it is laid out.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      listTop = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      look()
    })
    observer.observe(document.body)
    const standing = setTimeout(() => {
      ahead = overscan
      look()
    }, standsAfterMs)
    return () => {
      observer.disconnect()
      clearTimeout(standing)
    }
  }, [body])

  const height = isPhone ? cardHeight : fileHeight()
  const places = useMemo(() => new LinePlaces(count, days, height, dayHeight), [count, days, height])
  // One number for all, so that the window is asked once a scroll.
  const rangeNow = () => {
    const lines = places.around(scrollTop - listTop, windowHeight, ahead)
    return (lines.first * rangeBase + (lines.end - lines.first)) * 2 + Number(isAtRest)
  }
  const range = useSyncExternalStore(subscribeWindow, rangeNow)
  const ends = Math.floor(range / 2)
  const first = Math.floor(ends / rangeBase)
  const end = first + (ends % rangeBase)

  const reveal = useCallback(
    (index: number) => {
      const top = listTop + places.top(index)
      const bottom = top + places.heightOf(index)
      if (top < window.scrollY + clearAbove) window.scrollTo({ top: top - clearAbove })
      else if (bottom > window.scrollY + window.innerHeight - clearBelow) {
        window.scrollTo({ top: bottom - window.innerHeight + clearBelow })
      }
    },
    [places],
  )
  return { places, first, end, isAtRest: range % 2 === 1, reveal }
}

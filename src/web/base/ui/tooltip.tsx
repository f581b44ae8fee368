import { useEffect, useLayoutEffect, useRef, useState } from 'react'

const openMs = 500
/** Time the pointer may spend between an element and its tooltip. */
const closeMs = 150
const gapPixels = 6

/** Position of the tooltip, in pixels. */
type Place = { left: number; top: number }

/**
 * The app's only tooltip: shows the `data-tooltip` of the element that is hovered or has keyboard focus. Its text must
 * be available elsewhere, too.
 */
export function TooltipLayer() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => followPointer(setTarget, () => box.current), [])
  useLayoutEffect(() => {
    if (box.current === null || target === null) return
    const { left, top } = tooltipPosition(target, box.current)
    Object.assign(box.current.style, { left: `${left}px`, top: `${top}px` })
  }, [target])
  if (target === null) return null
  return (
    <div
      ref={box}
      aria-hidden
      className="fixed z-50 w-max max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-high"
    >
      {target.dataset.tooltip}
    </div>
  )
}

/** Calls `show` with the element whose tooltip should be visible. Returns an unsubscribe function. */
function followPointer(show: (target: HTMLElement | null) => void, box: () => HTMLElement | null): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = new AbortController()
  const { signal } = stop
  const showAfter = (ms: number, target: HTMLElement | null) => {
    clearTimeout(timer)
    timer = setTimeout(show, ms, target)
  }
  const targetOf = ({ target }: Event) => (target as Element).closest<HTMLElement>('[data-tooltip]')
  const hide = () => showAfter(0, null)
  document.addEventListener(
    'pointerover',
    (event) => {
      if (event.pointerType === 'touch') return
      const target = targetOf(event)
      if (target) showAfter(openMs, target)
      else if (box()?.contains(event.target as Node)) clearTimeout(timer)
      else showAfter(closeMs, null)
    },
    { signal },
  )
  document.addEventListener(
    'focusin',
    (event) => showAfter(0, (event.target as Element).matches(':focus-visible') ? targetOf(event) : null),
    { signal },
  )
  for (const kind of ['focusout', 'pointerdown', 'scroll'] as const)
    document.addEventListener(kind, hide, { signal, capture: true })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal })
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}

/** Above the element or, if there is no room, below it; to its right if it requests that. */
function tooltipPosition(target: HTMLElement, box: HTMLElement): Place {
  const { left, top, right, bottom, width, height } = target.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = box
  if (target.dataset.tooltipSide === 'right') return { left: right + gapPixels, top: top + (height - offsetHeight) / 2 }
  const centered = left + (width - offsetWidth) / 2
  const above = top - offsetHeight - gapPixels
  return {
    left: Math.max(gapPixels, Math.min(centered, window.innerWidth - offsetWidth - gapPixels)),
    top: above < 0 ? bottom + gapPixels : above,
  }
}

import { useRef } from 'react'
import { frameMs } from '../../../formats/captions/caption-rules.ts'
import type { Cue } from '../../../formats/captions/cues.ts'
import { timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'
import { type Edge, measureRoom } from './set-captions.ts'
import { nextPlace, snapped } from './snap.ts'

/** Distance within which an edge snaps to a word or quiet place; not with Alt. Pixels. */
const reach = 7

type Props = {
  captions: Captions
  edge: Edge
  cue: Cue
  index: number
  snaps: readonly number[]
  left: number
  pixelsPerSecond: number
}

/**
 * A draggable edge of the current caption: a slider whose arrow keys move it by a frame, with Shift to the next word or
 * quiet place. Dragging moves only its own elements.
 */
export function EdgeHandle(props: Props) {
  const { captions, edge, cue, index, snaps, left } = props
  const handle = useRef<HTMLDivElement>(null)
  const ms = edgeMs(cue, edge)
  const pull = usePull(props, handle)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key] as 1 | -1 | undefined
    if (by === undefined) return
    event.preventDefault()
    captions.moveEdge(index, edge, event.shiftKey ? nextPlace(ms, snaps, by) : ms + by * frameMs)
  }
  return (
    <div
      ref={handle}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'start' ? 'Caption begins' : 'Caption ends'}
      aria-valuemin={0}
      aria-valuemax={Math.round(ms) + 60_000}
      aria-valuenow={Math.round(ms)}
      aria-valuetext={timeText(ms)}
      onKeyDown={onKeyDown}
      {...pull}
      className={`absolute inset-y-0 w-3 cursor-ew-resize touch-none before:absolute before:inset-y-0 before:w-0.5 before:bg-accent after:absolute after:top-0 after:rounded-sm after:bg-ink after:px-1 after:text-xs after:text-canvas after:content-[attr(data-time)] ${edge === 'start' ? 'before:left-1/2' : 'before:right-1/2'}`}
      style={{ left: left - 6 }}
    />
  )
}

const edgeMs = (cue: Cue, edge: Edge): number => (edge === 'start' ? cue.startMs : cue.endMs)

/** Pointer handling of an edge. */
function usePull(
  { captions, edge, cue, index, snaps, left, pixelsPerSecond }: Props,
  handle: React.RefObject<HTMLDivElement | null>,
) {
  const pulled = useRef<number | null>(null)
  const ms = edgeMs(cue, edge)
  const end = (isKept: boolean) => {
    const to = pulled.current
    pulled.current = null
    show(handle.current, edge, 0)
    handle.current?.removeAttribute('data-time')
    if (isKept && to !== null && Math.round(to) !== ms) captions.moveEdge(index, edge, to)
  }
  return {
    onPointerDown: (event: React.PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      pulled.current = ms
    },
    onPointerMove: ({ clientX, altKey, currentTarget }: React.PointerEvent) => {
      const { made } = captions
      if (pulled.current === null || made === null) return
      const strip = currentTarget.parentElement?.getBoundingClientRect()
      const at = ms + ((clientX - (strip?.left ?? 0) - left) / pixelsPerSecond) * 1_000
      const [least, most] = measureRoom(made, index, edge)
      const wanted = altKey ? at : snapped(at, snaps, (reach / pixelsPerSecond) * 1_000)
      pulled.current = Math.min(most, Math.max(least, wanted))
      show(handle.current, edge, ((pulled.current - ms) / 1_000) * pixelsPerSecond)
      handle.current?.setAttribute('data-time', timeText(pulled.current))
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  }
}

/** Moves the handle and the caption's box by pixels, without rendering. */
function show(handle: HTMLElement | null, edge: Edge, by: number): void {
  const box = handle?.parentElement?.querySelector<HTMLElement>('[data-cue="current"]')
  if (handle === null || !box) return
  handle.style.transform = by === 0 ? '' : `translateX(${by}px)`
  box.style.marginLeft = edge === 'start' && by !== 0 ? `${by}px` : ''
  box.style.clipPath = edge === 'end' && by < 0 ? `inset(0 ${-by}px 0 0)` : ''
}

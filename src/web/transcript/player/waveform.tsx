import { useEffect, useMemo, useRef } from 'react'
import { clockText } from '../../base/ui/duration.ts'
import { useWidth } from '../../base/ui/use-width.ts'
import { barHeights, barsPath, pitch } from './bars.ts'
import { followClock } from './follow-clock.ts'
import type { Playback } from './playback.ts'

type Props = {
  playback: Playback
  durationSeconds: number
  /** loudness over the whole recording, 0 to 1, evenly spaced; null if unknown */
  peaks: Float32Array | null
  height: number
}

type DivRef = React.RefObject<HTMLDivElement | null>

const arrowSeconds = 5
const pageSeconds = 30

/** The recording as bars that act as a slider: clicks, drags and the arrow keys seek. */
export function Waveform({ playback, durationSeconds, peaks, height }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const played = useRef<HTMLDivElement>(null)
  const playedBars = useRef<HTMLDivElement>(null)
  const path = useBarsPath(host, peaks, height)
  usePlayedShare(playback, durationSeconds, played, playedBars)
  useAriaValue(playback, durationSeconds, host)

  const seekTo = ({ currentTarget, clientX }: React.PointerEvent) => {
    const share = shareAt(currentTarget, clientX)
    if (share !== null) playback.seek(share * durationSeconds)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const to = keySeconds(event.key, playback.seconds, durationSeconds)
    if (to === null) return
    event.preventDefault()
    playback.seek(to)
  }
  return (
    <div
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label="Position in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.max(1, Math.floor(durationSeconds))}
      aria-valuenow={0}
      className="relative min-w-0 flex-1 cursor-pointer touch-none overflow-hidden rounded-sm [contain:strict]"
      style={{ height }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
    >
      <Bars path={path} played={played} playedBars={playedBars} />
    </div>
  )
}

/** Gray bars, and over them a window that shows the same bars in color: the played share. */
function Bars({ path, played, playedBars }: { path: string; played: DivRef; playedBars: DivRef }) {
  return (
    <>
      <svg aria-hidden="true" className="absolute inset-0 size-full text-line-strong forced-colors:text-[GrayText]">
        <path d={path} fill="currentColor" />
      </svg>
      <div
        ref={played}
        aria-hidden="true"
        className="absolute inset-0 [transform:translateX(-100%)] overflow-hidden text-accent forced-colors:text-[Highlight]"
      >
        <div ref={playedBars} className="absolute inset-0 [transform:translateX(100%)]">
          <svg aria-hidden="true" className="size-full">
            <path d={path} fill="currentColor" />
          </svg>
        </div>
      </div>
    </>
  )
}

/** The horizontal position of a point within an element, 0 to 1. */
function shareAt(element: Element, clientX: number): number | null {
  const { left, width } = element.getBoundingClientRect()
  return width === 0 ? null : Math.min(1, Math.max(0, (clientX - left) / width))
}

/** The time to which a key seeks, in seconds; null for other keys. */
function keySeconds(key: string, now: number, duration: number): number | null {
  const to: Record<string, number> = {
    ArrowLeft: now - arrowSeconds,
    ArrowDown: now - arrowSeconds,
    ArrowRight: now + arrowSeconds,
    ArrowUp: now + arrowSeconds,
    PageDown: now - pageSeconds,
    PageUp: now + pageSeconds,
    Home: 0,
    End: duration,
  }
  return to[key] ?? null
}

function useBarsPath(host: DivRef, peaks: Float32Array | null, height: number): string {
  const width = useWidth(host)
  return useMemo(() => barsPath(barHeights(peaks, Math.floor(width / pitch)), height), [peaks, width, height])
}

/** Up to this length the played share moves smoothly; in longer recordings a second is less than two pixels. */
const maxSmoothSeconds = 600
/** Steps over the whole width, about half a pixel each. */
const shareSteps = 2_000

/**
 * Moves the window over the colored bars, and the bars in the opposite direction, so that they appear fixed; the
 * compositor does both.
 */
function usePlayedShare(playback: Playback, durationSeconds: number, played: DivRef, bars: DivRef): void {
  useEffect(() => {
    if (played.current === null || bars.current === null || !(durationSeconds > 0)) return
    if (durationSeconds > maxSmoothSeconds) return moveInSteps(playback, durationSeconds, played.current, bars.current)
    const timing = { duration: durationSeconds * 1_000, fill: 'both' } as const
    return followClock(playback, [
      played.current.animate({ transform: ['translateX(-100%)', 'translateX(0)'] }, timing),
      bars.current.animate({ transform: ['translateX(100%)', 'translateX(0)'] }, timing),
    ])
  }, [playback, durationSeconds, played, bars])
}

/**
 * For long recordings: moves the window whenever the player reports its time, as an animation would cost every frame.
 */
function moveInSteps(playback: Playback, durationSeconds: number, played: HTMLElement, bars: HTMLElement): () => void {
  let shown = -1
  const show = (seconds: number) => {
    const step = Math.round(Math.min(1, seconds / durationSeconds) * shareSteps)
    if (step === shown) return
    shown = step
    const left = (1 - step / shareSteps) * 100
    played.style.transform = `translateX(${-left}%)`
    bars.style.transform = `translateX(${left}%)`
  }
  show(playback.seconds)
  return playback.onTime(show)
}

/** Updates the slider's value for screen readers, once a second. */
function useAriaValue(playback: Playback, durationSeconds: number, slider: DivRef): void {
  useEffect(() => {
    let lastSecond = -1
    const update = (seconds: number) => {
      const second = Math.floor(seconds)
      if (second === lastSecond || slider.current === null) return
      lastSecond = second
      slider.current.ariaValueNow = String(second)
      slider.current.ariaValueText = `${clockText(second)} of ${clockText(durationSeconds)}`
    }
    update(playback.seconds)
    return playback.onTime(update)
  }, [playback, durationSeconds, slider])
}

import { useEffect, useMemo, useRef, useState } from 'react'
import { clockText } from '../../ui/duration.ts'
import { barHeights, barsPath, pitch } from './bars.ts'
import { followClock } from './follow-clock.ts'
import type { Playback } from './playback.ts'

type Props = {
  playback: Playback
  durationSeconds: number
  /** loudness over the whole recording, 0 to 1, evenly spaced; null where it is not known */
  peaks: Float32Array | null
  height: number
}

const arrowSeconds = 5
const pageSeconds = 30

/** The recording as bars; a click, a drag or the arrow keys go to a place in it. */
export function Waveform({ playback, durationSeconds, peaks, height }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const played = useRef<HTMLDivElement>(null)
  const playedBars = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const path = useMemo(() => barsPath(barHeights(peaks, Math.floor(width / pitch)), height), [peaks, width, height])
  usePlayedShare(playback, durationSeconds, played, playedBars)
  useSpokenValue(playback, durationSeconds, host)

  const seekTo = (clientX: number) => {
    const rect = host.current?.getBoundingClientRect()
    if (rect === undefined || rect.width === 0) return
    playback.seek(Math.min(1, Math.max(0, (clientX - rect.left) / rect.width)) * durationSeconds)
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
      aria-label="Place in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.max(1, Math.floor(durationSeconds))}
      aria-valuenow={0}
      className="relative min-w-0 flex-1 cursor-pointer touch-none overflow-hidden rounded-sm [contain:strict]"
      style={{ height }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event.clientX)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event.clientX)
      }}
    >
      <svg aria-hidden="true" className="absolute inset-0 size-full text-line-strong">
        <path d={path} fill="currentColor" />
      </svg>
      <div
        ref={played}
        aria-hidden="true"
        className="absolute inset-0 [transform:translateX(-100%)] overflow-hidden text-accent"
      >
        <div ref={playedBars} className="absolute inset-0 [transform:translateX(100%)]">
          <svg aria-hidden="true" className="size-full">
            <path d={path} fill="currentColor" />
          </svg>
        </div>
      </div>
    </div>
  )
}

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

function useWidth(host: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [host])
  return width
}

type DivRef = React.RefObject<HTMLDivElement | null>

/** Up to this length the played share glides; of longer recordings a second is less than a pixel or two. */
const glidingSeconds = 600
/** The played share is moved on by half a pixel and not by less. */
const shareSteps = 2_000

/** A window slides over the coloured bars while they stay where they are; the compositor moves both. */
function usePlayedShare(playback: Playback, durationSeconds: number, played: DivRef, bars: DivRef): void {
  useEffect(() => {
    if (played.current === null || bars.current === null || !(durationSeconds > 0)) return
    if (durationSeconds > glidingSeconds) return moveOn(playback, durationSeconds, played.current, bars.current)
    const timing = { duration: durationSeconds * 1_000, fill: 'both' } as const
    return followClock(playback, [
      played.current.animate({ transform: ['translateX(-100%)', 'translateX(0)'] }, timing),
      bars.current.animate({ transform: ['translateX(100%)', 'translateX(0)'] }, timing),
    ])
  }, [playback, durationSeconds, played, bars])
}

/** Moves the window over a long recording at the words, without an animation that every frame would have to look at. */
function moveOn(playback: Playback, durationSeconds: number, played: HTMLElement, bars: HTMLElement): () => void {
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

/** The place is told to screen readers by the second. */
function useSpokenValue(playback: Playback, durationSeconds: number, slider: DivRef): void {
  useEffect(() => {
    let lastSecond = -1
    const tell = (seconds: number) => {
      const second = Math.floor(seconds)
      if (second === lastSecond || slider.current === null) return
      lastSecond = second
      slider.current.ariaValueNow = String(second)
      slider.current.ariaValueText = `${clockText(second)} of ${clockText(durationSeconds)}`
    }
    tell(playback.seconds)
    return playback.onTime(tell)
  }, [playback, durationSeconds, slider])
}

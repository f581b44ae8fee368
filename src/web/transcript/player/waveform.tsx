import { useEffect, useMemo, useRef, useState } from 'react'
import { clockText } from '../../ui/duration.ts'
import { barHeights, barsPath, pitch } from './bars.ts'
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
  const played = useRef<SVGSVGElement>(null)
  const width = useWidth(host)
  const path = useMemo(() => barsPath(barHeights(peaks, Math.floor(width / pitch)), height), [peaks, width, height])
  usePlayedShare(playback, durationSeconds, width, played, host)

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
      className="relative min-w-0 flex-1 cursor-pointer touch-none rounded-sm"
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
      <svg ref={played} aria-hidden="true" className="absolute inset-0 size-full text-accent">
        <path d={path} fill="currentColor" />
      </svg>
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

/** Clips the coloured bars to what was played, only when that moves by a pixel; told to screen readers by the second. */
function usePlayedShare(
  playback: Playback,
  durationSeconds: number,
  width: number,
  played: React.RefObject<SVGSVGElement | null>,
  slider: React.RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    let lastPixel = -1
    let lastSecond = -1
    const show = (seconds: number) => {
      const share = durationSeconds > 0 ? Math.min(1, seconds / durationSeconds) : 0
      const pixel = Math.round(share * width)
      if (pixel !== lastPixel && played.current !== null) {
        lastPixel = pixel
        played.current.style.clipPath = `inset(0 ${width - pixel}px 0 0)`
      }
      const second = Math.floor(seconds)
      if (second === lastSecond || slider.current === null) return
      lastSecond = second
      slider.current.ariaValueNow = String(second)
      slider.current.ariaValueText = `${clockText(second)} of ${clockText(durationSeconds)}`
    }
    show(playback.seconds)
    return playback.onTime(show)
  }, [playback, durationSeconds, width, played, slider])
}

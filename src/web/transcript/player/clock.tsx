import { useEffect, useRef } from 'react'
import { turnTime } from '../view/block-element.ts'
import { followClock } from './follow-clock.ts'
import type { Playback } from './playback.ts'

const digits = '0123456789'

/**
 * Where the sound is, written without React. The tenths are a strip of digits that the compositor moves, so that a
 * running clock costs one small change a second. Not announced: the slider tells screen readers.
 */
export function Clock({ playback, tenths }: { playback: Playback; tenths: boolean }) {
  const text = useRef<HTMLSpanElement>(null)
  const strip = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const show = (seconds: number) => {
      const shown = turnTime(seconds)
      const node = text.current?.firstChild
      if (node instanceof Text && node.data !== shown) node.data = shown
    }
    show(playback.seconds)
    return playback.onTime(show)
  }, [playback])
  useEffect(() => {
    if (strip.current === null) return
    const moved = strip.current.animate(
      { transform: ['translateY(0)', 'translateY(-100%)'] },
      { duration: 1_000, iterations: Number.POSITIVE_INFINITY, easing: `steps(${digits.length})` },
    )
    return followClock(playback, [moved])
  }, [playback])
  return (
    <span
      aria-hidden
      className="flex min-w-16 font-mono text-sm whitespace-nowrap text-ink tabular-nums [contain:content]"
    >
      <span ref={text}>00:00</span>
      {tenths && (
        <>
          .
          <span className="inline-block h-5 overflow-hidden">
            <span ref={strip} className="grid w-[1ch] leading-5">
              {Array.from(digits, (digit) => (
                <span key={digit}>{digit}</span>
              ))}
            </span>
          </span>
        </>
      )}
    </span>
  )
}

import { useEffect, useRef } from 'react'
import { followClock } from './follow-clock.ts'
import type { Playback } from './playback.ts'

/** One place of the clock: its digits in order, each shown for `seconds`, and what stands after it. */
type Wheel = { name: string; digits: readonly string[]; seconds: number; after: string }

const upTo = (count: number) => Array.from({ length: count }, (_, digit) => String(digit))

function wheelsOf(durationSeconds: number, tenths: boolean): Wheel[] {
  const hours = Math.floor(durationSeconds / 3_600)
  return [
    ...(hours > 0 ? [{ name: 'hours', digits: upTo(hours + 1), seconds: 3_600, after: ':' }] : []),
    { name: 'tens of minutes', digits: upTo(6), seconds: 600, after: '' },
    { name: 'minutes', digits: upTo(10), seconds: 60, after: ':' },
    { name: 'tens of seconds', digits: upTo(6), seconds: 10, after: '' },
    { name: 'seconds', digits: upTo(10), seconds: 1, after: tenths ? '.' : '' },
    ...(tenths ? [{ name: 'tenths', digits: upTo(10), seconds: 0.1, after: '' }] : []),
  ]
}

type Props = { playback: Playback; durationSeconds: number; tenths: boolean }

/**
 * Where the sound is. Each place is a wheel of digits that the compositor turns, so that a running clock costs the main
 * thread nothing. Not announced: the slider tells screen readers.
 */
export function Clock({ playback, durationSeconds, tenths }: Props) {
  const clock = useRef<HTMLSpanElement>(null)
  const wheels = wheelsOf(Number.isFinite(durationSeconds) ? durationSeconds : 0, tenths)
  const shape = wheels.map(({ digits }) => digits.length).join(' ')
  useEffect(() => {
    if (clock.current === null || shape === '') return
    const strips = [...clock.current.querySelectorAll<HTMLElement>('[data-step]')]
    const turn = (strip: HTMLElement) =>
      strip.animate(
        { transform: ['translateY(0)', 'translateY(-100%)'] },
        {
          duration: Number(strip.dataset.step) * 1_000 * strip.childElementCount,
          iterations: Number.POSITIVE_INFINITY,
          easing: `steps(${strip.childElementCount})`,
        },
      )
    return followClock(playback, strips.map(turn))
  }, [playback, shape])
  return (
    <span
      ref={clock}
      aria-hidden
      className="flex font-mono text-sm leading-5 whitespace-nowrap text-ink tabular-nums [contain:content]"
    >
      {wheels.map(({ name, digits, seconds, after }) => (
        <span key={name} className="flex">
          <span className="inline-block h-5 overflow-hidden">
            <span data-step={seconds} className="grid">
              {digits.map((digit) => (
                <span key={digit}>{digit}</span>
              ))}
            </span>
          </span>
          {after}
        </span>
      ))}
    </span>
  )
}
